import { definition } from './body-parts.ts';
import {
  applyPatch,
  create,
  createAndWait,
  definitionsPath,
  type Json,
  mergePatch,
  patch,
  pathOf,
  read,
  remove,
  type Step,
  withValueAt,
} from './steps.ts';

/** Definitions with conflicting names, which are accepted after the conflicting definition is deleted. */
export function conflictSteps(): readonly Step[] {
  const group = 'conflicts.example.com';
  const first = withValueAt(definition({ group, kind: 'First' }, {}), ['spec', 'names', 'shortNames'], ['f', 'g']);
  const second = withValueAt(definition({ group, kind: 'Second' }, {}), ['spec', 'names'], {
    plural: 'seconds',
    singular: 'first',
    kind: 'First',
    listKind: 'FirstList',
    shortNames: ['g', 'h', 'f'],
    categories: ['all'],
  });
  const third = withValueAt(definition({ group, kind: 'Third' }, {}), ['spec', 'names', 'shortNames'], ['f']);
  return [
    ...createAndWait(first),
    create(definitionsPath, second),
    { await: 'conditions', name: `seconds.${group}` },
    read(pathOf(`seconds.${group}`)),
    create(definitionsPath, third),
    { await: 'conditions', name: `thirds.${group}` },
    read(pathOf(`thirds.${group}`)),
    read(`/apis/${group}/v1/namespaces/default/seconds`),
    remove(pathOf(`firsts.${group}`)),
    { await: 'gone', name: `firsts.${group}` },
    { await: 'established', name: `seconds.${group}` },
    read(pathOf(`seconds.${group}`)),
    remove(pathOf(`seconds.${group}`)),
    { await: 'gone', name: `seconds.${group}` },
    { await: 'established', name: `thirds.${group}` },
    read(pathOf(`thirds.${group}`)),
  ];
}

/** Deletes a definition while an object with a finalizer exists. */
export function deletionSteps(): readonly Step[] {
  const group = 'end.example.com';
  const body = definition({ group, kind: 'Last' }, {});
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
    remove(pathOf(`lasts.${group}`), { preconditions: { uid: 'other' } }),
    remove(pathOf(`lasts.${group}`)),
    { await: 'conditions', name: `lasts.${group}` },
    read(pathOf(`lasts.${group}`)),
    remove(pathOf(`lasts.${group}`)),
    read(path),
    create(path, objectNamed('late')),
    patch(`${path}/late?fieldManager=me`, applyPatch, objectNamed('late')),
    patch(`${path}/held`, mergePatch, { metadata: { labels: { still: 'here' } } }),
    patch(`${path}/held`, mergePatch, { metadata: { finalizers: null } }),
    { await: 'gone', name: `lasts.${group}` },
    read(pathOf(`lasts.${group}`)),
  ];
}

/** Creates and deletes a definition in a protected group with the annotation unapproved. */
export function unapprovedSteps(): readonly Step[] {
  const group = 'never.k8s.io';
  const body = withValueAt(definition({ group, kind: 'Never' }, {}), ['metadata', 'annotations'], {
    'api-approved.kubernetes.io': 'unapproved, for a test',
  });
  return [
    ...createAndWait(body),
    { await: 'conditions', name: `nevers.${group}` },
    read(pathOf(`nevers.${group}`)),
    remove(pathOf(`nevers.${group}`)),
    { await: 'gone', name: `nevers.${group}` },
  ];
}
