import { createDefinition } from './body-parts.ts';
import {
  applyPatch,
  create,
  createAndWait,
  definitionPathOf,
  definitionsPath,
  type Json,
  mergePatch,
  patch,
  read,
  remove,
  type Step,
  withValueAt,
} from './steps.ts';

/** Creates definitions whose names conflict. The names are accepted after the definition that has them is deleted. */
export function createConflictSteps(): readonly Step[] {
  const group = 'conflicts.example.com';
  const firstDefinition = withValueAt(createDefinition({ group, kind: 'First' }, {}), ['spec', 'names', 'shortNames'], ['f', 'g']);
  const secondDefinition = withValueAt(createDefinition({ group, kind: 'Second' }, {}), ['spec', 'names'], {
    plural: 'seconds',
    singular: 'first',
    kind: 'First',
    listKind: 'FirstList',
    shortNames: ['g', 'h', 'f'],
    categories: ['all'],
  });
  const thirdDefinition = withValueAt(createDefinition({ group, kind: 'Third' }, {}), ['spec', 'names', 'shortNames'], ['f']);
  return [
    ...createAndWait(firstDefinition),
    create(definitionsPath, secondDefinition),
    { await: 'conditions', name: `seconds.${group}` },
    read(definitionPathOf(`seconds.${group}`)),
    create(definitionsPath, thirdDefinition),
    { await: 'conditions', name: `thirds.${group}` },
    read(definitionPathOf(`thirds.${group}`)),
    read(`/apis/${group}/v1/namespaces/default/seconds`),
    remove(definitionPathOf(`firsts.${group}`)),
    { await: 'gone', name: `firsts.${group}` },
    { await: 'established', name: `seconds.${group}` },
    read(definitionPathOf(`seconds.${group}`)),
    remove(definitionPathOf(`seconds.${group}`)),
    { await: 'gone', name: `seconds.${group}` },
    { await: 'established', name: `thirds.${group}` },
    read(definitionPathOf(`thirds.${group}`)),
  ];
}

/** Deletes a definition while an object with a finalizer exists. */
export function createDeletionSteps(): readonly Step[] {
  const group = 'end.example.com';
  const body = createDefinition({ group, kind: 'Last' }, {});
  const path = `/apis/${group}/v1/namespaces/default/lasts`;
  const objectNamed = (name: string, finalizers?: readonly string[]): Json => ({
    apiVersion: `${group}/v1`,
    kind: 'Last',
    metadata: { name, ...(finalizers && { finalizers }) },
  });
  return [
    ...createAndWait(body),
    create(path, objectNamed('free')),
    create(path, objectNamed('held', ['example.com/held'])),
    remove(definitionPathOf(`lasts.${group}`), { preconditions: { uid: 'other' } }),
    remove(definitionPathOf(`lasts.${group}`)),
    { await: 'conditions', name: `lasts.${group}` },
    read(definitionPathOf(`lasts.${group}`)),
    remove(definitionPathOf(`lasts.${group}`)),
    read(path),
    create(path, objectNamed('late')),
    patch(`${path}/late?fieldManager=me`, applyPatch, objectNamed('late')),
    patch(`${path}/held`, mergePatch, { metadata: { labels: { still: 'here' } } }),
    patch(`${path}/held`, mergePatch, { metadata: { finalizers: null } }),
    { await: 'gone', name: `lasts.${group}` },
    read(definitionPathOf(`lasts.${group}`)),
  ];
}

/** Creates and deletes a definition in a protected group with the annotation unapproved. */
export function createUnapprovedSteps(): readonly Step[] {
  const group = 'never.k8s.io';
  const body = withValueAt(createDefinition({ group, kind: 'Never' }, {}), ['metadata', 'annotations'], {
    'api-approved.kubernetes.io': 'unapproved, for a test',
  });
  return [
    ...createAndWait(body),
    { await: 'conditions', name: `nevers.${group}` },
    read(definitionPathOf(`nevers.${group}`)),
    remove(definitionPathOf(`nevers.${group}`)),
    { await: 'gone', name: `nevers.${group}` },
  ];
}
