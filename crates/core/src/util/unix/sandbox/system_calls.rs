//! The system calls that a program in a sandbox may not make.

use std::collections::BTreeMap;

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter, sock_filter,
};

type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Calls with which a program leaves its sandbox or reads other processes. They end the program.
const FATAL: &[i64] = &[
    libc::SYS_ptrace,
    libc::SYS_process_vm_readv,
    libc::SYS_process_vm_writev,
    libc::SYS_mount,
    libc::SYS_umount2,
    libc::SYS_pivot_root,
    libc::SYS_chroot,
    libc::SYS_unshare,
    libc::SYS_setns,
    libc::SYS_open_by_handle_at,
    libc::SYS_reboot,
    libc::SYS_kexec_load,
    libc::SYS_init_module,
    libc::SYS_finit_module,
    libc::SYS_delete_module,
    libc::SYS_swapon,
    libc::SYS_swapoff,
    libc::SYS_add_key,
    libc::SYS_keyctl,
    libc::SYS_request_key,
];

/// Calls that an honest program may try, and that have often had faults in the kernel, or that
/// escape a limit. They fail as on a system that does not have them.
const UNKNOWN: &[i64] = &[
    libc::SYS_bpf,
    libc::SYS_perf_event_open,
    libc::SYS_userfaultfd,
    libc::SYS_io_uring_setup,
    libc::SYS_io_uring_enter,
    libc::SYS_io_uring_register,
    libc::SYS_fanotify_init,
    libc::SYS_pidfd_getfd,
    libc::SYS_kcmp,
    libc::SYS_open_tree,
    libc::SYS_move_mount,
    libc::SYS_fsopen,
    libc::SYS_fspick,
    libc::SYS_mount_setattr,
    // Its flags are in memory, which a filter cannot read. Programs then use `clone`.
    libc::SYS_clone3,
    // Memory that belongs to no process.
    libc::SYS_memfd_create,
    libc::SYS_memfd_secret,
    libc::SYS_shmget,
    libc::SYS_msgget,
];

/// Calls that are refused: the processors are shared between sessions.
const REFUSED: &[i64] = &[libc::SYS_setsid, libc::SYS_sched_setaffinity];

/// Refuses calls by the numbers of x32, which no list names: load the number, compare, return ENOSYS.
const OTHER_NUMBERS: [sock_filter; 3] = [
    sock_filter { code: 0x20, jt: 0, jf: 0, k: 0 },
    sock_filter { code: 0x35, jt: 0, jf: 1, k: 0x4000_0000 },
    sock_filter { code: 0x06, jt: 0, jf: 0, k: 0x0005_0000 | libc::ENOSYS.cast_unsigned() },
];

/// Restricts this process and all that it starts, for ever.
pub(super) fn restrict(network: bool) -> Result<(), String> {
    let arch = TargetArch::try_from(std::env::consts::ARCH)
        .map_err(|_| "there is no list of system calls for this processor".to_owned())?;
    let errno = |code: i32| SeccompAction::Errno(code.cast_unsigned());
    let mut refused = all(REFUSED);
    refused.extend(namespaces().map_err(|error| error.to_string())?);
    refused.extend(sockets(network).map_err(|error| error.to_string())?);
    for (rules, action) in [
        (all(UNKNOWN), errno(libc::ENOSYS)),
        (refused, errno(libc::EPERM)),
        (all(FATAL), SeccompAction::KillProcess),
    ] {
        let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, arch);
        let compiled: Result<BpfProgram, _> = filter.and_then(SeccompFilter::try_into);
        let mut program = OTHER_NUMBERS.to_vec();
        program.extend(compiled.map_err(|error| error.to_string())?);
        apply_filter(&program).map_err(|error| format!("system calls: {error}"))?;
    }
    Ok(())
}

fn all(calls: &[i64]) -> Rules {
    calls.iter().map(|&call| (call, Vec::new())).collect()
}

/// `clone` with a new namespace.
fn namespaces() -> Result<Rules, seccompiler::BackendError> {
    let flags = [
        libc::CLONE_NEWUSER,
        libc::CLONE_NEWNS,
        libc::CLONE_NEWPID,
        libc::CLONE_NEWNET,
        libc::CLONE_NEWIPC,
        libc::CLONE_NEWUTS,
        libc::CLONE_NEWCGROUP,
    ];
    let rule = |flag: i32| {
        let flag = u64::from(flag.cast_unsigned());
        SeccompRule::new(vec![SeccompCondition::new(
            0,
            SeccompCmpArgLen::Qword,
            SeccompCmpOp::MaskedEq(flag),
            flag,
        )?])
    };
    let rules = flags.into_iter().map(rule).collect::<Result<_, _>>()?;
    Ok(BTreeMap::from([(libc::SYS_clone, rules)]))
}

/// All sockets, or all but those for the network and for the programs of this machine.
fn sockets(network: bool) -> Result<Rules, seccompiler::BackendError> {
    let families = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];
    let differs = |family: i32| {
        let family = u64::from(family.cast_unsigned());
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family)
    };
    let rules = match network {
        true => {
            vec![SeccompRule::new(families.into_iter().map(differs).collect::<Result<_, _>>()?)?]
        }
        false => Vec::new(),
    };
    Ok(BTreeMap::from([(libc::SYS_socket, rules)]))
}
