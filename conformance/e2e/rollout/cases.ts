import { type FoundFix, findFix } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { createRowObjects, type RowObjects } from './manifests.ts';
import { isSafeIn, predict } from './prediction.ts';
import type { Row } from './rows.ts';

/** The namespace in which fixes are searched. */
const searchId = 'row';

/** A row, or a row with a fix or a part of it. */
export interface Case {
  readonly name: string;
  readonly row: Row;
  /** @param id a DNS label */
  createObjects(id: string): RowObjects;
  readonly expected: Row['expected'];
}

export const createCase = (row: Row): Case => ({
  name: row.name,
  row,
  createObjects: (id) => createRowObjects(row, id),
  expected: row.expected,
});

/** The cases of a row's fix: with all its parts, which is safe, and without each one, which drops requests. None if the simulator finds no fix. */
export function createFixCases(row: Row): Case[] {
  const fix = findSafeFix(row);
  if (!fix) return [];
  const withParts = (name: string, expected: Case['expected'], isUsed: (part: string) => boolean): Case => ({
    name: `${row.name}; ${name}`,
    row,
    createObjects: (id) => {
      // A fix knows its workloads by their namespace.
      const fixed = fix.apply(createRowObjects(row, searchId), isUsed);
      const move = (object: ApiObject): ApiObject => ({ ...object, metadata: { ...object.metadata, namespace: id } });
      return { ...createRowObjects(row, id), objects: fixed.objects.map(move), change: fixed.change.map(move) };
    },
    expected,
  });
  const summary = fix.parts.map(({ name, value }) => `${name} ${value}`).join(' and ');
  const lacking = fix.parts.length < 2 ? [] : fix.parts;
  return [
    withParts(`fixed by ${summary}`, 'safe', () => true),
    ...lacking.map(({ name }) => withParts(`without its ${name}`, 'drops', (part) => part !== name)),
  ];
}

/** Searches a fix with the adversaries that are known to drop requests; one that drops requests of a fixed row becomes known. */
function findSafeFix(row: Row): FoundFix | undefined {
  const objects = createRowObjects(row, searchId);
  const known = new Set([predict(row, objects).adversary]);
  for (;;) {
    const fix = findFix(objects, (candidate) => [...known].every((name) => isSafeIn(row, { ...objects, ...candidate }, name)));
    if (!fix) return undefined;
    const { verdict, adversary } = predict(row, { ...objects, ...fix.apply(objects) });
    if (verdict === 'safe') return fix;
    if (known.has(adversary)) return undefined;
    known.add(adversary);
  }
}
