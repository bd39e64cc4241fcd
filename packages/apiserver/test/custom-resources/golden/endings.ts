import { definition } from './body-parts.ts';
import {
  applyPatch,
  changed,
  create,
  definitionsPath,
  established,
  type Json,
  mergePatch,
  patch,
  pathOf,
  read,
  remove,
  type Step,
} from './steps.ts';

/** Names that are in use and become free again. */
export function conflictSteps(): readonly Step[] {
  const group = 'conflicts.example.com';
  const first = changed(definition({ group, kind: 'First' }, {}), ['spec', 'names', 'shortNames'], ['f', 'g']);
  const second = changed(definition({ group, kind: 'Second' }, {}), ['spec', 'names'], {
    plural: 'seconds',
    singular: 'first',
    kind: 'First',
    listKind: 'FirstList',
    shortNames: ['g', 'h', 'f'],
    categories: ['all'],
  });
  const third = changed(definition({ group, kind: 'Third' }, {}), ['spec', 'names', 'shortNames'], ['f']);
  return [
    ...established(first),
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

/** A deleted definition, and an object whose finalizer delays it. */
export function endSteps(): readonly Step[] {
  const group = 'end.example.com';
  const body = definition({ group, kind: 'Last' }, {});
  const path = `/apis/${group}/v1/namespaces/default/lasts`;
  const own = (name: string, finalizers?: readonly string[]): Json => ({
    apiVersion: `${group}/v1`,
    kind: 'Last',
    metadata: { name, ...(finalizers && { finalizers }) },
  });
  return [
    ...established(body),
    create(path, own('free')),
    create(path, own('held', ['example.com/held'])),
    remove(pathOf(`lasts.${group}`), { preconditions: { uid: 'other' } }),
    remove(pathOf(`lasts.${group}`)),
    { await: 'conditions', name: `lasts.${group}` },
    read(pathOf(`lasts.${group}`)),
    remove(pathOf(`lasts.${group}`)),
    read(path),
    create(path, own('late')),
    patch(`${path}/late?fieldManager=me`, applyPatch, own('late')),
    patch(`${path}/held`, mergePatch, { metadata: { labels: { still: 'here' } } }),
    patch(`${path}/held`, mergePatch, { metadata: { finalizers: null } }),
    { await: 'gone', name: `lasts.${group}` },
    read(pathOf(`lasts.${group}`)),
  ];
}

/** A definition in a protected group with the annotation unapproved. */
export function neverSteps(): readonly Step[] {
  const group = 'never.k8s.io';
  const body = changed(definition({ group, kind: 'Never' }, {}), ['metadata', 'annotations'], {
    'api-approved.kubernetes.io': 'unapproved, for a test',
  });
  return [
    ...established(body),
    { await: 'conditions', name: `nevers.${group}` },
    read(pathOf(`nevers.${group}`)),
    remove(pathOf(`nevers.${group}`)),
    { await: 'gone', name: `nevers.${group}` },
  ];
}
