import {
  applyPatch,
  asTable,
  changed,
  create,
  type Json,
  jsonPatch,
  mergePatch,
  patch,
  read,
  remove,
  replace,
  type Step,
  strategicPatch,
} from './steps.ts';
import { widget, widgetsPath } from './widget.ts';

const path = widgetsPath.replace('objects.', 'life.');
const one = `${path}/one`;

const own = (spec: Json, more: Json = {}): Json => ({ ...widget(spec, more), apiVersion: 'life.example.com/v1' });

const full = own(
  {
    replicas: 1,
    size: 5,
    open: 1.5,
    flag: true,
    colour: 'red',
    port: 'http',
    labels: { a: 'x' },
    items: ['p', 'q'],
    pairs: [{ key: 'k', value: 3 }],
  },
  { metadata: { name: 'one', labels: { 'a.b/c': 'label', app: 'web' } } },
);

/** The object with the current resourceVersion, for updates. */
const newest: Json = changed(full, ['metadata', 'resourceVersion'], '@current');

const status: Json = {
  replicas: 2,
  selector: 'app=web',
  phase: 'Ready',
  conditions: [{ type: 'Ready', status: 'True', at: '2020-01-01T00:00:00Z' }],
};

const updates: readonly Step[] = [
  create(path, { ...full, status: { phase: 'Waiting' } }),
  create(path, full),
  create(path, own({ colour: 'green', size: 2 }, { metadata: { name: 'two' } })),
  read(one),
  replace(one, full),
  replace(one, newest),
  replace(one, changed(newest, ['spec', 'size'], 6)),
  replace(one, changed(newest, ['spec', 'size'], 60)),
  replace(one, changed(newest, ['metadata', 'annotations'], { a: 'b' })),
  replace(one, changed(newest, ['status'], { phase: 'Waiting' })),
  replace(one, changed(full, ['metadata', 'resourceVersion'], '1')),
  replace(one, changed(newest, ['kind'], 'Gadget')),
  replace(`${path}/absent`, changed(full, ['metadata', 'name'], 'absent')),
];

const statuses: readonly Step[] = [
  replace(`${one}/status`, { ...newest, status }),
  replace(`${one}/status`, { ...newest, spec: { size: 9 }, status }),
  replace(`${one}/status`, { ...newest, status: { phase: 'Wrong', conditions: [{}] } }),
  replace(`${one}/status`, { ...newest, status: 'text' }),
  replace(`${one}/status`, { ...newest, status: { ...status, conditions: [{ type: 'A' }, { type: 'A' }] } }),
  replace(`${one}/status`, { ...newest, status: { ...status, replicas: -1, selector: 5 } }),
  replace(`${one}/status?dryRun=All`, newest),
  patch(`${one}/status`, mergePatch, { metadata: { labels: { tried: 'yes' } }, status: { phase: 'Waiting' } }),
  read(`${one}/status`),
];

const scaleOf = (name: string, replicas: unknown): Json => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'default' },
  spec: { replicas },
});

const scales: readonly Step[] = [
  read(`${one}/scale`),
  replace(`${one}/scale`, scaleOf('one', 3)),
  replace(`${one}/scale`, scaleOf('one', -3)),
  replace(`${one}/scale`, scaleOf('one', 'x')),
  patch(`${one}/scale`, mergePatch, { spec: { replicas: 4 } }),
  patch(`${one}/scale`, jsonPatch, [{ op: 'replace', path: '/spec/replicas', value: 5 }]),
  read(`${one}/scale`),
  read(`${path}/two/scale`),
  read(`${path}/absent/scale`),
  read(one),
];

const patches: readonly Step[] = [
  patch(one, mergePatch, { spec: { colour: null, size: 7 } }),
  patch(one, mergePatch, { spec: { size: 70 } }),
  patch(one, mergePatch, { spec: { nonesuch: 1 } }),
  patch(`${one}?fieldValidation=Strict`, mergePatch, { spec: { nonesuch: 1, deep: [{ nonesuch: 1 }] } }),
  patch(one, jsonPatch, [{ op: 'add', path: '/spec/colour', value: 'green' }]),
  patch(one, jsonPatch, [{ op: 'test', path: '/spec/colour', value: 'red' }]),
  patch(one, jsonPatch, [{ op: 'replace', path: '/metadata/labels', value: 'x' }]),
  patch(one, strategicPatch, { spec: { size: 3 } }),
  patch(`${one}?fieldManager=me`, applyPatch, own({ pairs: [{ key: 'other', value: 1 }] })),
  patch(`${one}?fieldManager=me`, applyPatch, own({ size: 9 })),
  patch(`${one}?fieldManager=me&force=true`, applyPatch, own({ size: 9, nonesuch: 1 })),
  patch(`${one}?fieldManager=me`, applyPatch, own({ size: 'x' })),
  patch(`${one}?fieldManager=me&force=true`, applyPatch, own({ size: 9, set: ['a'], pairs: [{ key: 'other', value: 2 }] })),
  patch(`${one}?fieldManager=other`, applyPatch, own({ set: ['b'], pairs: [{ key: 'third' }] })),
  patch(`${one}?fieldManager=me`, applyPatch, own({ size: 9 })),
  patch(`${path}/three?fieldManager=me`, applyPatch, own({ size: 1 }, { metadata: { name: 'three' } })),
];

const lists: readonly Step[] = [
  read(path),
  read(`${path}?fieldSelector=spec.colour%3Dgreen`),
  read(`${path}?fieldSelector=spec.size%3D1`),
  read(`${path}?fieldSelector=spec.flag%21%3Dtrue`),
  read(`${path}?fieldSelector=spec.port%3Dhttp`),
  read(`${path}?fieldSelector=metadata.name%3Dtwo`),
  read(`${path}?labelSelector=app%3Dweb`),
  read(path, asTable),
  read(one, asTable),
];

const deletions: readonly Step[] = [
  patch(one, mergePatch, { metadata: { finalizers: ['example.com/wait'] } }),
  remove(one),
  patch(one, mergePatch, { spec: { size: 3 } }),
  patch(one, mergePatch, { metadata: { finalizers: null } }),
  read(one),
  remove(`${path}/two`, { preconditions: { uid: 'other' } }),
  remove(`${path}/two`),
  remove(`${path}/two`),
  remove(path),
  read(path),
];

/** An object without replicas can be scaled. */
export const unscaled: readonly Step[] = [
  create(path, own({}, { metadata: { name: 'one' } })),
  read(`${one}/scale`),
  patch(`${one}/scale`, mergePatch, { metadata: { labels: { a: 'b' } } }),
  patch(`${one}/scale`, mergePatch, { spec: { replicas: 4 } }),
  read(one),
];

/** The operations on objects, in sequence. */
export const life: readonly Step[] = [...updates, ...statuses, ...scales, ...patches, ...lists, ...deletions];
