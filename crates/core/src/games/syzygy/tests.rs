//! Tests of tables: positions with known values, and damaged and missing files.

use std::path::{Path, PathBuf};

use cozy_chess::{Board, BoardBuilder, Color, Piece, get_king_moves};

use super::SyzygyTables;

/// The folder of all tables with three pieces. tests/data/syzygy/README.md says whose they are.
fn three_pieces() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/data/syzygy")
}

fn value(tables: &SyzygyTables, fen: &str) -> Option<i8> {
    tables.value(&fen.parse().expect("a position")).expect("a sound table")
}

/// A folder of its own for a test.
fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("agon-syzygy-{name}-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    for file in three_pieces().read_dir().expect("the tables") {
        let path = file.expect("a file").path();
        std::fs::copy(&path, folder.join(path.file_name().expect("a name"))).expect("a copy");
    }
    folder
}

const PIECES: [Piece; 5] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
/// The number of placements of three pieces, with either side to move.
const PLACES: usize = 64 * 64 * 64 * 2;

/// The position of both kings and a piece of White with this number, if it is legal.
fn numbered(number: usize) -> Option<Board> {
    let square = |place: usize| number >> (6 * place) & 63;
    let mut builder = BoardBuilder::empty();
    builder.board[square(0)] = Some((Piece::King, Color::White));
    builder.board[square(1)] = Some((Piece::King, Color::Black));
    builder.board[square(2)] = Some((PIECES[number / PLACES], Color::White));
    builder.side_to_move = if number >> 18 & 1 == 0 { Color::White } else { Color::Black };
    let is_legal = |board: &Board| {
        let near = get_king_moves(board.king(Color::White)).has(board.king(Color::Black));
        board.occupied().len() == 3 && !near
    };
    builder.build().ok().filter(is_legal)
}

/// The number of a position; `None` for bare kings.
fn number_of(board: &Board) -> Option<usize> {
    let [white, black] = [Color::White, Color::Black].map(|color| board.king(color) as usize);
    let held = |&(_, piece): &(usize, &Piece)| !board.pieces(*piece).is_empty();
    let (kind, &piece) = PIECES.iter().enumerate().find(held)?;
    let place = board.pieces(piece).next_square()? as usize;
    let side = usize::from(board.side_to_move() == Color::Black);
    Some(white | black << 6 | place << 12 | side << 18 | (kind * PLACES))
}

/// The values of all positions for the side to move, by passes over all of them: a position is won
/// after a move to a lost one, and lost if all moves lead to won ones. All wins with three pieces
/// are shorter than fifty moves. A king with a bishop or a knight cannot win.
fn solved() -> Vec<i8> {
    let mut values = vec![0_i8; 5 * PLACES + 1];
    let bare_kings = 5 * PLACES;
    let mut open = Vec::new();
    for number in (0..2 * PLACES).chain(4 * PLACES..5 * PLACES) {
        let Some(board) = numbered(number) else { continue };
        let mut next = Vec::new();
        board.generate_moves(|moves| {
            next.extend(moves.into_iter().map(|mv| {
                let mut after = board.clone();
                after.play_unchecked(mv);
                number_of(&after).unwrap_or(bare_kings) as u32
            }));
            false
        });
        match next.is_empty() {
            true => values[number] = if board.checkers().is_empty() { 0 } else { -2 },
            false => open.push((number, next)),
        }
    }
    loop {
        let mut found = false;
        for (number, next) in &open {
            if values[*number] != 0 {
                continue;
            }
            let after = || next.iter().map(|&number| values[number as usize]);
            let value = match (after().min(), after().max()) {
                (Some(-2), _) => 2,
                (Some(2), Some(2)) => -2,
                _ => 0,
            };
            found |= value != 0;
            values[*number] = value;
        }
        if !found {
            return values;
        }
    }
}

#[test]
fn positions_of_three_pieces_have_their_values() {
    let tables = SyzygyTables::open(&[three_pieces()], None).expect("tables");
    let values = solved();
    let mut counts = [0; 5];
    // A prime step: each square of each piece is there.
    for number in (0..5 * PLACES).step_by(41) {
        let Some(board) = numbered(number) else { continue };
        let value = values[number];
        for board in [mirrored(&board), board] {
            assert_eq!(tables.value(&board), Ok(Some(value)), "{board}");
        }
        counts[(value + 2) as usize] += 1;
    }
    assert!(counts[0] > 5000 && counts[2] > 10_000 && counts[4] > 10_000, "{counts:?}");
}

/// `values.txt` has positions and their values by python-chess. `.ci/syzygy` sets `AGON_SYZYGY` to a
/// folder with all tables of three and four pieces. No symbol of these tables is 1 or -1.
#[test]
fn values_are_those_of_python_chess() {
    let folder = std::env::var_os("AGON_SYZYGY").map_or_else(three_pieces, PathBuf::from);
    let values = std::fs::read_to_string(folder.join("values.txt")).expect("values");
    let tables = SyzygyTables::open(&[folder], None).expect("tables");
    for line in values.lines() {
        let (fen, known) = line.rsplit_once(' ').expect("a position and its value");
        assert_eq!(value(&tables, fen), known.parse().ok(), "{fen}");
    }
}

/// The table of a knight has one value for all positions: a draw. Here it has a win that the
/// fifty-move rule spoils.
#[test]
fn values_of_one_and_minus_one_are_kept() {
    let folder = folder("cursed");
    let file = folder.join("KNvK.rtbw");
    let sound = std::fs::read(&file).expect("a table");
    let draws: Vec<usize> =
        (0..sound.len() - 1).filter(|&i| sound[i..].starts_with(&[0x80, 2])).collect();
    assert_eq!(draws.len(), 2, "one for each side to move");
    let mut made = sound;
    made[draws[0] + 1] = 3;
    made[draws[1] + 1] = 1;
    std::fs::write(&file, made).expect("a table");
    let tables = SyzygyTables::open(std::slice::from_ref(&folder), None).expect("tables");
    for (fen, known) in [
        ("8/8/8/8/4k3/8/8/K6N w - - 0 1", 1),
        ("8/8/8/8/4k3/8/8/K6N b - - 0 1", -1),
        ("8/8/8/8/4K3/8/8/k6n b - - 0 1", 1),
        ("8/8/8/8/4K3/8/8/k6n w - - 0 1", -1),
    ] {
        assert_eq!(value(&tables, fen), Some(known), "{fen}");
    }
    std::fs::remove_dir_all(folder).expect("a folder");
}

/// The position with the colours exchanged.
fn mirrored(board: &Board) -> Board {
    let mut builder = BoardBuilder::empty();
    for square in board.occupied() {
        let (piece, color) = (board.piece_on(square), board.color_on(square));
        builder.board[square.flip_rank() as usize] = piece.zip(color.map(|color| !color));
    }
    builder.side_to_move = !board.side_to_move();
    builder.build().expect("a position")
}

#[test]
fn damaged_tables_are_errors_and_never_panics() {
    let folder = folder("damaged");
    let file = folder.join("KPvK.rtbw");
    let sound = std::fs::read(&file).expect("a table");
    let open = || SyzygyTables::open(std::slice::from_ref(&folder), None);
    for length in (0..sound.len()).step_by(61).chain([sound.len() - 1]) {
        std::fs::write(&file, &sound[..length]).expect("a cut table");
        let error = open().expect_err("a cut table");
        assert!(error.message.ends_with("KPvK.rtbw is cut or damaged"), "{error}");
    }
    let boards: Vec<_> = (4 * PLACES..5 * PLACES).step_by(997).filter_map(numbered).collect();
    for at in (0..300).chain((300..sound.len()).step_by(101)) {
        for bits in [0x01, 0x80, 0xff] {
            let mut damaged = sound.clone();
            damaged[at] ^= bits;
            std::fs::write(&file, damaged).expect("a damaged table");
            if let Ok(tables) = open() {
                boards.iter().step_by(20).for_each(|board| drop(tables.value(board)));
            }
        }
    }
    std::fs::write(&file, &sound).expect("a table");
    let tables = open().expect("tables");
    let board = boards.iter().find(|board| tables.value(board) == Ok(Some(2))).expect("a win");
    std::fs::remove_file(&file).expect("a table");
    let error = tables.value(board).expect_err("no file");
    assert!(error.ends_with("KPvK.rtbw is damaged or gone"), "{error}");
    std::fs::remove_dir_all(folder).expect("a folder");
}

#[test]
fn missing_tables_are_named() {
    let folder = folder("missing");
    let open = |pieces| {
        let error = SyzygyTables::open(std::slice::from_ref(&folder), pieces).expect_err("missing");
        format!("{}: {}", error.key.as_deref().unwrap_or("-"), error.message)
    };
    let shown = folder.display();
    let quads = format!("syzygy_pieces: the table `KQvKQ.rtbw` of 4 pieces is not in {shown}");
    assert_eq!(open(Some(4)), quads);
    assert_eq!(open(Some(7)), quads);
    std::fs::remove_file(folder.join("KBvK.rtbw")).expect("a table");
    assert_eq!(open(None), format!("syzygy: the table `KBvK.rtbw` of 3 pieces is not in {shown}"));
    std::fs::remove_dir_all(&folder).expect("a folder");
    assert!(open(None).starts_with(&format!("syzygy: cannot read the folder {shown}: ")));
}

#[test]
fn more_pieces_and_castling_rights_have_no_value() {
    let tables = SyzygyTables::open(&[three_pieces()], None).expect("tables");
    assert_eq!(value(&tables, "4k3/8/8/8/8/8/8/4K2R w - - 0 1"), Some(2));
    assert_eq!(value(&tables, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"), None);
    assert_eq!(value(&tables, "4k3/8/8/8/8/8/8/R3K2R w - - 0 1"), None);
}
