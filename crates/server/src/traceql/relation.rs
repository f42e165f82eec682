//! How spans stand to each other in the tree.

use super::ast::{Mode, Relation};
use super::tree::TraceView;

/// The spans that a relation between two sets gives.
pub(super) fn related(
    view: &TraceView<'_>,
    left: &[bool],
    relation: Relation,
    mode: Mode,
    right: &[bool],
) -> Vec<bool> {
    let stands = stand_so(view, left, relation);
    let meant = |place: usize| match mode {
        Mode::Not => right[place] && !stands[place],
        Mode::Plain | Mode::Union => right[place] && stands[place],
    };
    let mut found: Vec<bool> = (0..view.spans.len()).map(meant).collect();
    if mode == Mode::Union {
        // The left ones that take part are those to which the found ones stand the other way round.
        let back = stand_so(view, &found, opposite(relation));
        for place in 0..found.len() {
            found[place] |= left[place] && back[place];
        }
    }
    found
}

const fn opposite(relation: Relation) -> Relation {
    match relation {
        Relation::Child => Relation::Parent,
        Relation::Parent => Relation::Child,
        Relation::Descendant => Relation::Ancestor,
        Relation::Ancestor => Relation::Descendant,
        Relation::Sibling => Relation::Sibling,
    }
}

/// For each span, whether it stands so to one of the set.
fn stand_so(view: &TraceView<'_>, set: &[bool], relation: Relation) -> Vec<bool> {
    let mut stands = vec![false; set.len()];
    match relation {
        Relation::Child => {
            for (place, stands) in stands.iter_mut().enumerate() {
                *stands = view.parent(place).is_some_and(|parent| set[parent]);
            }
        }
        Relation::Parent => {
            for place in (0..set.len()).filter(|place| set[*place]) {
                if let Some(parent) = view.parent(place) {
                    stands[parent] = true;
                }
            }
        }
        Relation::Descendant => {
            for place in view.order() {
                stands[*place] = view.parent(*place).is_some_and(|parent| set[parent] || stands[parent]);
            }
        }
        Relation::Ancestor => {
            for place in view.order().iter().rev() {
                if let Some(parent) = view.parent(*place) {
                    stands[parent] |= set[*place] || stands[*place];
                }
            }
        }
        Relation::Sibling => siblings(view, set, &mut stands),
    }
    stands
}

fn siblings(view: &TraceView<'_>, set: &[bool], stands: &mut [bool]) {
    let mut below = vec![0_usize; set.len()];
    for place in (0..set.len()).filter(|place| set[*place]) {
        if let Some(parent) = view.parent(place) {
            below[parent] += 1;
        }
    }
    for (place, stands) in stands.iter_mut().enumerate() {
        *stands = view.parent(place).is_some_and(|parent| below[parent] > usize::from(set[place]));
    }
}
