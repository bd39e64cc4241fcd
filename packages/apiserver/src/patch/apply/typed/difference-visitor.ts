import { createMutableSet, descend, type FieldSet, type MutableFieldSet } from '../field-set.ts';
import type { PathElement } from '../path-element.ts';

/** The difference of two values. The sets are disjoint, except for duplicate list items. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type DifferenceKind = 'added' | 'modified' | 'removed';

/** Receives the differences between two values and their positions. */
export interface DifferenceVisitor {
  readonly strict: boolean;
  enter(element: PathElement): void;
  leave(): void;
  /** Reports a difference at the current position; ignored at the root. */
  report(kind: DifferenceKind): void;
}

/** Creates sets lazily, because most compared values are equal. */
export function createDifferenceCollector(
  strict: boolean,
): DifferenceVisitor & { readonly sets: Readonly<Record<DifferenceKind, MutableFieldSet>> } {
  const path: PathElement[] = [];
  const root = { added: createMutableSet(), modified: createMutableSet(), removed: createMutableSet() };
  const openSets: Readonly<Record<DifferenceKind, (MutableFieldSet | undefined)[]>> = {
    added: [root.added],
    modified: [root.modified],
    removed: [root.removed],
  };
  const setAt = (kind: DifferenceKind, depth: number): MutableFieldSet => {
    const existing = openSets[kind][depth];
    if (existing) return existing;
    const child = descend(setAt(kind, depth - 1), path[depth - 1] as PathElement);
    openSets[kind][depth] = child;
    return child;
  };
  return {
    sets: root,
    strict,
    enter(element) {
      path.push(element);
    },
    leave() {
      const depth = path.length;
      path.pop();
      openSets.added[depth] = undefined;
      openSets.modified[depth] = undefined;
      openSets.removed[depth] = undefined;
    },
    report(kind) {
      const last = path.at(-1);
      if (last !== undefined) {
        setAt(kind, path.length - 1).members.add(last);
      }
    },
  };
}

/**
 * Writes all differences as one text, so that equal texts mean equal differences. The length of each element precedes it, because elements
 * may contain any character. Paths without differences are not written.
 */
export function createDifferenceTracer(strict: boolean): DifferenceVisitor & { readonly text: string } {
  const path: PathElement[] = [];
  let writtenDepth = 0;
  let text = '';
  return {
    get text() {
      return text;
    },
    strict,
    enter(element) {
      path.push(element);
    },
    leave() {
      path.pop();
      if (writtenDepth <= path.length) return;
      writtenDepth = path.length;
      text += '<';
    },
    report(kind) {
      for (; writtenDepth < path.length; writtenDepth++) {
        const element = path[writtenDepth] as PathElement;
        text += `${element.length}>${element}`;
      }
      text += markByKind[kind];
    },
  };
}

const markByKind: Readonly<Record<DifferenceKind, string>> = { added: '+', modified: '~', removed: '-' };
