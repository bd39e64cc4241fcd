/**
 * Sorts by insertion, as Go's `sort.Sort` does for up to 12 items. The rules of upstream are not always transitive, so the algorithm matters.
 * Of longer lists, the order of equal items is random in Go, as that of the lists is; here they keep their order.
 */
export function sortInPlace<T>(items: T[], isLess: (a: T, b: T) => boolean): void {
  if (items.length > maxInsertions) {
    items.sort((a, b) => (isLess(a, b) ? -1 : Number(isLess(b, a))));
    return;
  }
  for (let i = 1; i < items.length; i++) {
    for (let j = i; j > 0 && isLess(items[j] as T, items[j - 1] as T); j--) [items[j - 1], items[j]] = [items[j] as T, items[j - 1] as T];
  }
}

/** Also for longer lists than in Go, because the oracle does the same; above, it would take too long. */
const maxInsertions = 64;
