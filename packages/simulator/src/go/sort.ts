/**
 * Sorts as Go's `sort.Sort` does for up to 12 items: by insertion. The rules of upstream are not always transitive, so the algorithm matters.
 * Longer lists differ from Go in the order of equal items: they keep their order.
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

const maxInsertions = 12;
