import { createMembership } from '/work/main/src/runtime/controllers/membership.ts';
import { profileFor } from '/work/main/src/versions/index.ts';
const pods = new Map<string, any>();
const N = 150_000, S = 10_000;
const make = (i: number, v: number, ready = 'True') => ({ metadata: { namespace: `ns${i % 100}`, name: `pod-${i}`, uid: `u${i}`, resourceVersion: String(v), labels: { app: `app-${i % S}` } }, spec: { nodeName: 'n' }, status: { phase: 'Running', podIP: '10.0.0.1', podIPs: [{ ip: '10.0.0.1' }], conditions: [{ type: 'Ready', status: ready }] } });
const keys: string[] = [];
for (let i = 0; i < N; i++) { const k = [`ns${i % 100}`, `pod-${i}`].join('/'); keys.push(k); pods.set(k, make(i, 1)); }
(globalThis as any).gc();
const before = process.memoryUsage().heapUsed;
const m = createMembership({ profile: profileFor(), podOf: (k) => pods.get(k) });
let t = performance.now();
for (let s = 0; s < S; s++) m.setService(`ns${s % 100}/svc-${s}`, { metadata: { namespace: `ns${s % 100}`, name: `svc-${s}` }, spec: { selector: { app: `app-${s}` } } });
for (let i = 0; i < N; i++) m.takePod({ type: 'added', object: pods.get(keys[i]), initial: true }, keys[i]);
console.log('fill ms', performance.now() - t, 'pairs', m.pairs);
for (let s = 0; s < S; s++) { m.feed('endpoints', `ns${s % 100}/svc-${s}`); m.feed('endpointslices', `ns${s % 100}/svc-${s}`); }
(globalThis as any).gc();
console.log('bytes a pair', (process.memoryUsage().heapUsed - before) / m.pairs);
t = performance.now();
for (let i = 0; i < N; i++) { const old = pods.get(keys[i]); const object = make(i, 2, 'False'); pods.set(keys[i], object); m.takePod({ type: 'updated', object, old }, keys[i]); }
console.log('us a changed pod', (performance.now() - t) / N * 1000);
t = performance.now();
for (let i = 0; i < N; i++) { const old = pods.get(keys[i]); const object = make(i, 3, 'False'); pods.set(keys[i], object); m.takePod({ type: 'updated', object, old }, keys[i]); }
console.log('us a pod with another version only', (performance.now() - t) / N * 1000);
