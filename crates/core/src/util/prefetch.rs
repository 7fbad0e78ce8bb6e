//! Prefetching: memory that will be read soon is brought to the cache meanwhile.

/// Prefetches the cache line of an element, if the processor can. There need not be such an element.
#[inline(always)]
pub fn prefetch<T>(all: &[T], index: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let at = all.as_ptr().wrapping_add(index);
        // SAFETY: a prefetch is a hint that no address can make fault, and SSE is a part of x86-64.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(at.cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (all, index);
}
