//! The files that a program in a sandbox sees: those of the system, its own, and an empty folder.

use std::ffi::CString;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::CWD;
use rustix::mount::{
    MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, UnmountFlags, mount,
    mount_change, move_mount, open_tree, unmount,
};
use rustix::process::pivot_root;

use super::plan::{OWN_FOLDER, Sandbox, is_whole};

/// Folders of the system that every program may read. Those that do not exist are left out.
const SYSTEM: [&str; 12] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
];
/// Devices without memory.
const DEVICES: [&str; 5] = ["null", "zero", "full", "random", "urandom"];
/// The size and the number of files of the program's own folder.
const OWN_FOLDER_OPTIONS: &str = "size=64m,nr_inodes=4096,mode=0700";
/// A folder that exists everywhere, on which the new root begins.
const BASE: &str = "/dev";
/// The most files that are shown of a folder without its folders.
const MAX_FILES: usize = 1000;

/// A copy of a mounted file or folder, before it has a place.
struct Copy {
    place: PathBuf,
    is_folder: bool,
    tree: OwnedFd,
}

impl Copy {
    fn of(path: &Path, attributes: u64) -> Result<Copy, String> {
        let error = |error: io::Error| format!("{}: {error}", path.display());
        let is_folder = fs::metadata(path).map_err(error)?.is_dir();
        let flags = OpenTreeFlags::OPEN_TREE_CLONE
            | OpenTreeFlags::OPEN_TREE_CLOEXEC
            | OpenTreeFlags::AT_RECURSIVE;
        let tree = open_tree(CWD, path, flags).map_err(|e| error(e.into()))?;
        restrict_mount(&tree, libc::AT_RECURSIVE, attributes).map_err(error)?;
        Ok(Copy { place: path.to_owned(), is_folder, tree })
    }

    /// Puts it below the new root, which is the working folder.
    fn attach(&self) -> Result<(), String> {
        let error = |error: io::Error| format!("{}: {error}", self.place.display());
        let place = below(&self.place);
        let folder = if self.is_folder { Some(place.as_path()) } else { place.parent() };
        if let Some(folder) = folder.filter(|folder| !folder.exists()) {
            fs::DirBuilder::new().recursive(true).mode(0o755).create(folder).map_err(error)?;
        }
        if !self.is_folder && !place.exists() {
            fs::write(&place, "").map_err(error)?;
        }
        move_mount(&self.tree, "", CWD, &place, MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH)
            .map_err(|e| error(e.into()))
    }
}

/// A path of the new root, relative to it.
fn below(path: &Path) -> PathBuf {
    Path::new(".").join(path.strip_prefix("/").unwrap_or(path))
}

const READ_ONLY: u64 = libc::MOUNT_ATTR_RDONLY | NO_RIGHTS;
const NO_RIGHTS: u64 = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NODEV;

/// Adds attributes to a mount.
fn restrict_mount(tree: &impl AsFd, flags: i32, attributes: u64) -> io::Result<()> {
    let attr = libc::mount_attr { attr_set: attributes, attr_clr: 0, propagation: 0, userns_fd: 0 };
    let empty = c"".as_ptr();
    // SAFETY: the pointers are valid for the call, and the size is that of the struct.
    let done = unsafe {
        libc::syscall(
            libc::SYS_mount_setattr,
            tree.as_fd().as_raw_fd(),
            empty,
            flags | libc::AT_EMPTY_PATH,
            &attr,
            size_of::<libc::mount_attr>(),
        )
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Replaces the root by one that has only the files of the sandbox. `user` is who owns its folder.
pub(super) fn build(sandbox: &Sandbox, user: u32) -> Result<(), String> {
    let told = |what: &str| {
        let what = what.to_owned();
        move |error: rustix::io::Errno| format!("{what}: {error}")
    };
    let private = MountPropagationFlags::REC | MountPropagationFlags::PRIVATE;
    mount_change("/", private).map_err(told("mounts"))?;
    let copies = copies(sandbox)?;
    let plain = MountFlags::NOSUID | MountFlags::NODEV;
    let options = |text: &str| CString::new(text).unwrap_or_default();
    let file_system = |kind: &str, place: &str, flags: MountFlags, data: &str| {
        mount(kind, place, kind, flags, Some(options(data).as_c_str())).map_err(told(place))
    };
    file_system("tmpfs", BASE, plain, "size=4m,mode=0755")?;
    std::env::set_current_dir(BASE).map_err(|error| error.to_string())?;
    for place in ["proc", "dev", "tmp"] {
        fs::create_dir(place).map_err(|error| format!("{place}: {error}"))?;
    }
    let own = format!("{OWN_FOLDER_OPTIONS},uid={user}");
    file_system("tmpfs", &format!(".{OWN_FOLDER}"), plain, &own)?;
    let no_programs = plain | MountFlags::NOEXEC;
    // A process can hide from others of its user, so all are shown: the helper counts what they use.
    file_system("proc", "./proc", no_programs, "")?;
    links().map_err(|error| format!("links: {error}"))?;
    for copy in &copies {
        copy.attach()?;
    }
    // A working folder of which only single files are shown.
    let dir = below(&sandbox.dir);
    fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", sandbox.dir.display()))?;
    pivot_root(".", ".").map_err(told("the root"))?;
    unmount(".", UnmountFlags::DETACH).map_err(told("the root"))?;
    std::env::set_current_dir("/").map_err(|error| error.to_string())?;
    let root = fs::File::open("/").map_err(|error| error.to_string())?;
    restrict_mount(&root, 0, READ_ONLY).map_err(|error| format!("the root: {error}"))
}

/// Everything that the program sees of the machine, outer folders first.
fn copies(sandbox: &Sandbox) -> Result<Vec<Copy>, String> {
    let mut copies = Vec::new();
    let system = SYSTEM.iter().map(Path::new);
    for path in system.filter(|path| path.is_dir() && !path.is_symlink()) {
        copies.push(Copy::of(path, READ_ONLY)?);
    }
    for device in DEVICES {
        let no_programs = libc::MOUNT_ATTR_NOSUID | libc::MOUNT_ATTR_NOEXEC;
        copies.push(Copy::of(&Path::new("/dev").join(device), no_programs)?);
    }
    let mut own: Vec<(PathBuf, u64)> = Vec::new();
    for folder in &sandbox.readable_files {
        let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        // Hidden files of a folder may have passwords.
        let is_shown = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default();
            path.is_file() && !name.as_encoded_bytes().starts_with(b".")
        };
        let files = entries.flatten().map(|entry| entry.path()).filter(is_shown);
        let files: Vec<PathBuf> = files.take(MAX_FILES + 1).collect();
        if files.len() > MAX_FILES {
            return Err(format!("{} has more than {MAX_FILES} files", folder.display()));
        }
        own.extend(files.into_iter().map(|path| (path, READ_ONLY)));
    }
    own.extend(sandbox.readable.iter().map(|path| (path.clone(), READ_ONLY)));
    own.extend(sandbox.writable.iter().map(|path| (path.clone(), NO_RIGHTS)));
    // A folder hides what was put into its place before.
    own.sort_by_key(|(path, _)| path.components().count());
    for (path, attributes) in own {
        if is_whole(&path) {
            return Err(format!("{} cannot be a folder of a sandbox", path.display()));
        }
        let is_known =
            attributes == READ_ONLY && SYSTEM.iter().any(|system| path.starts_with(system));
        if !is_known {
            copies.push(Copy::of(&path, attributes)?);
        }
    }
    Ok(copies)
}

/// The links of the system's folders and of `/dev`.
fn links() -> io::Result<()> {
    for path in SYSTEM.iter().map(Path::new).filter(|path| path.is_symlink()) {
        let link = below(path);
        if let Some(folder) = link.parent() {
            fs::create_dir_all(folder)?;
        }
        symlink(fs::read_link(path)?, link)?;
    }
    for (target, name) in [
        ("/proc/self/fd", "fd"),
        ("/proc/self/fd/0", "stdin"),
        ("/proc/self/fd/1", "stdout"),
        ("/proc/self/fd/2", "stderr"),
        (OWN_FOLDER, "shm"),
    ] {
        symlink(target, Path::new("./dev").join(name))?;
    }
    Ok(())
}
