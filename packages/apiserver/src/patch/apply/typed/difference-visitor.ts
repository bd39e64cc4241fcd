import { descend, type FieldSet, type GrowingSet, growingSet } from '../field-set.ts';
import type { PathElement } from '../path-element.ts';

/** The difference of two values; the sets are disjoint. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

type Kind = 'added' | 'modified' | 'removed';

/** Receives the differences and the position of a walk. */
export interface DifferenceVisitor {
  readonly strict: boolean;
  enter(element: PathElement): void;
  leave(): void;
  /** Reports a difference at the current position; ignored at the root. */
  report(kind: Kind): void;
}

/** Creates sets lazily, because most compared values are equal. */
export function createDifferenceCollector(strict: boolean): DifferenceVisitor & { readonly sets: Readonly<Record<Kind, GrowingSet>> } {
  const path: PathElement[] = [];
  const root = { added: growingSet(), modified: growingSet(), removed: growingSet() };
  const open: Readonly<Record<Kind, (GrowingSet | undefined)[]>> = {
    added: [root.added],
    modified: [root.modified],
    removed: [root.removed],
  };
  const setAt = (kind: Kind, depth: number): GrowingSet => {
    const known = open[kind][depth];
    if (known) {
      return known;
    }
    const made = descend(setAt(kind, depth - 1), path[depth - 1] as PathElement);
    open[kind][depth] = made;
    return made;
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
      open.added[depth] = undefined;
      open.modified[depth] = undefined;
      open.removed[depth] = undefined;
    },
    report(kind) {
      const last = path.at(-1);
      if (last !== undefined) {
        setAt(kind, path.length - 1).members.add(last);
      }
    },
  };
}

/** Writes elements with their lengths, since they may contain any character. Paths without differences are not written. */
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
      if (writtenDepth <= path.length) {
        return;
      }
      writtenDepth = path.length;
      text += '<';
    },
    report(kind) {
      for (; writtenDepth < path.length; writtenDepth++) {
        const element = path[writtenDepth] as PathElement;
        text += `${element.length}>${element}`;
      }
      text += marks[kind];
    },
  };
}

const marks: Readonly<Record<Kind, string>> = { added: '+', modified: '~', removed: '-' };
