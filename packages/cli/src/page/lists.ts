/** A list as its difference from an earlier list: the index of that list, and indices of texts. */
export type EncodedList = readonly [near: number, removed: readonly number[], added: readonly number[]];

export interface EncodedLists {
  readonly texts: readonly string[];
  /** The first one is empty. */
  readonly lists: readonly EncodedList[];
}

/** Stores lists that differ little, such as the endpoints of a Service over time. */
export interface ListTable extends EncodedLists {
  /**
   * Returns the index of a list, whose order does not matter.
   * @param near the index of a similar list, or 0
   */
  indexOf(list: readonly string[], near: number): number;
}

export function createListTable(): ListTable {
  const [texts, lists]: [string[], EncodedList[]] = [[], [[0, [], []]]];
  const contents: Set<number>[] = [new Set()];
  const textIndices = new Map<string, number>();
  const listIndices = new Map<string, number>([['', 0]]);
  const known = new WeakMap<readonly string[], number>();
  const indexOfText = (text: string): number => {
    const index = textIndices.get(text) ?? textIndices.size;
    if (index === texts.length) texts.push(text);
    textIndices.set(text, index);
    return index;
  };
  const addList = (content: Set<number>, near: number): number => {
    const before = contents[near] as Set<number>;
    lists.push([near, without(before, content), without(content, before)]);
    return contents.push(content) - 1;
  };
  return {
    texts,
    lists,
    indexOf: (list, near) => {
      const found = known.get(list);
      if (found !== undefined) return found;
      const content = new Set(list.map(indexOfText));
      const key = [...content].sort((a, b) => a - b).join();
      const index = listIndices.get(key) ?? addList(content, near);
      listIndices.set(key, index);
      known.set(list, index);
      return index;
    },
  };
}

const without = (all: ReadonlySet<number>, some: ReadonlySet<number>): number[] => [...all].filter((each) => !some.has(each));
