import {
  acceptTable,
  applyPatch,
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
  withValueAt,
} from './steps.ts';
import { widget, widgetsPath } from './widget.ts';

const path = widgetsPath.replace('objects.', 'life.');
const widgetPath = `${path}/one`;

const lifeWidget = (spec: Json, more: Json = {}): Json => ({ ...widget(spec, more), apiVersion: 'life.example.com/v1' });

const fullWidget = lifeWidget(
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

/** The widget with a placeholder for its current resourceVersion, for updates. */
const currentWidget: Json = withValueAt(fullWidget, ['metadata', 'resourceVersion'], '@current');

const status: Json = {
  replicas: 2,
  selector: 'app=web',
  phase: 'Ready',
  conditions: [{ type: 'Ready', status: 'True', at: '2020-01-01T00:00:00Z' }],
};

const updateSteps: readonly Step[] = [
  create(path, { ...fullWidget, status: { phase: 'Waiting' } }),
  create(path, fullWidget),
  create(path, lifeWidget({ colour: 'green', size: 2 }, { metadata: { name: 'two' } })),
  read(widgetPath),
  replace(widgetPath, fullWidget),
  replace(widgetPath, currentWidget),
  replace(widgetPath, withValueAt(currentWidget, ['spec', 'size'], 6)),
  replace(widgetPath, withValueAt(currentWidget, ['spec', 'size'], 60)),
  replace(widgetPath, withValueAt(currentWidget, ['metadata', 'annotations'], { a: 'b' })),
  replace(widgetPath, withValueAt(currentWidget, ['status'], { phase: 'Waiting' })),
  replace(widgetPath, withValueAt(fullWidget, ['metadata', 'resourceVersion'], '1')),
  replace(widgetPath, withValueAt(currentWidget, ['kind'], 'Gadget')),
  replace(`${path}/absent`, withValueAt(fullWidget, ['metadata', 'name'], 'absent')),
];

const statusUpdateSteps: readonly Step[] = [
  replace(`${widgetPath}/status`, { ...currentWidget, status }),
  replace(`${widgetPath}/status`, { ...currentWidget, spec: { size: 9 }, status }),
  replace(`${widgetPath}/status`, { ...currentWidget, status: { phase: 'Wrong', conditions: [{}] } }),
  replace(`${widgetPath}/status`, { ...currentWidget, status: 'text' }),
  replace(`${widgetPath}/status`, { ...currentWidget, status: { ...status, conditions: [{ type: 'A' }, { type: 'A' }] } }),
  replace(`${widgetPath}/status`, { ...currentWidget, status: { ...status, replicas: -1, selector: 5 } }),
  replace(`${widgetPath}/status?dryRun=All`, currentWidget),
  patch(`${widgetPath}/status`, mergePatch, { metadata: { labels: { tried: 'yes' } }, status: { phase: 'Waiting' } }),
  read(`${widgetPath}/status`),
];

const createScale = (name: string, replicas: unknown): Json => ({
  apiVersion: 'autoscaling/v1',
  kind: 'Scale',
  metadata: { name, namespace: 'default' },
  spec: { replicas },
});

const scaleUpdateSteps: readonly Step[] = [
  read(`${widgetPath}/scale`),
  replace(`${widgetPath}/scale`, createScale('one', 3)),
  replace(`${widgetPath}/scale`, createScale('one', -3)),
  replace(`${widgetPath}/scale`, createScale('one', 'x')),
  patch(`${widgetPath}/scale`, mergePatch, { spec: { replicas: 4 } }),
  patch(`${widgetPath}/scale`, jsonPatch, [{ op: 'replace', path: '/spec/replicas', value: 5 }]),
  read(`${widgetPath}/scale`),
  read(`${path}/two/scale`),
  read(`${path}/absent/scale`),
  read(widgetPath),
];

const patchSteps: readonly Step[] = [
  patch(widgetPath, mergePatch, { spec: { colour: null, size: 7 } }),
  patch(widgetPath, mergePatch, { spec: { size: 70 } }),
  patch(widgetPath, mergePatch, { spec: { nonesuch: 1 } }),
  patch(`${widgetPath}?fieldValidation=Strict`, mergePatch, { spec: { nonesuch: 1, deep: [{ nonesuch: 1 }] } }),
  patch(widgetPath, jsonPatch, [{ op: 'add', path: '/spec/colour', value: 'green' }]),
  patch(widgetPath, jsonPatch, [{ op: 'test', path: '/spec/colour', value: 'red' }]),
  patch(widgetPath, jsonPatch, [{ op: 'replace', path: '/metadata/labels', value: 'x' }]),
  patch(widgetPath, strategicPatch, { spec: { size: 3 } }),
  patch(`${widgetPath}?fieldManager=me`, applyPatch, lifeWidget({ pairs: [{ key: 'other', value: 1 }] })),
  patch(`${widgetPath}?fieldManager=me`, applyPatch, lifeWidget({ size: 9 })),
  patch(`${widgetPath}?fieldManager=me&force=true`, applyPatch, lifeWidget({ size: 9, nonesuch: 1 })),
  patch(`${widgetPath}?fieldManager=me`, applyPatch, lifeWidget({ size: 'x' })),
  patch(`${widgetPath}?fieldManager=me&force=true`, applyPatch, lifeWidget({ size: 9, set: ['a'], pairs: [{ key: 'other', value: 2 }] })),
  patch(`${widgetPath}?fieldManager=other`, applyPatch, lifeWidget({ set: ['b'], pairs: [{ key: 'third' }] })),
  patch(`${widgetPath}?fieldManager=me`, applyPatch, lifeWidget({ size: 9 })),
  patch(`${path}/three?fieldManager=me`, applyPatch, lifeWidget({ size: 1 }, { metadata: { name: 'three' } })),
];

const listSteps: readonly Step[] = [
  read(path),
  read(`${path}?fieldSelector=spec.colour%3Dgreen`),
  read(`${path}?fieldSelector=spec.size%3D1`),
  read(`${path}?fieldSelector=spec.flag%21%3Dtrue`),
  read(`${path}?fieldSelector=spec.port%3Dhttp`),
  read(`${path}?fieldSelector=metadata.name%3Dtwo`),
  read(`${path}?labelSelector=app%3Dweb`),
  read(path, acceptTable),
  read(widgetPath, acceptTable),
];

const deletionSteps: readonly Step[] = [
  patch(widgetPath, mergePatch, { metadata: { finalizers: ['example.com/wait'] } }),
  remove(widgetPath),
  patch(widgetPath, mergePatch, { spec: { size: 3 } }),
  patch(widgetPath, mergePatch, { metadata: { finalizers: null } }),
  read(widgetPath),
  remove(`${path}/two`, { preconditions: { uid: 'other' } }),
  remove(`${path}/two`),
  remove(`${path}/two`),
  remove(path),
  read(path),
];

/** Scales an object without replicas. */
export const scaleWithoutReplicasSteps: readonly Step[] = [
  create(path, lifeWidget({}, { metadata: { name: 'one' } })),
  read(`${widgetPath}/scale`),
  patch(`${widgetPath}/scale`, mergePatch, { metadata: { labels: { a: 'b' } } }),
  patch(`${widgetPath}/scale`, mergePatch, { spec: { replicas: 4 } }),
  read(widgetPath),
];

/** Operations on custom objects, in order. */
export const objectSteps: readonly Step[] = [
  ...updateSteps,
  ...statusUpdateSteps,
  ...scaleUpdateSteps,
  ...patchSteps,
  ...listSteps,
  ...deletionSteps,
];
