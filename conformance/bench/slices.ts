import { execFileSync } from 'node:child_process';
import type * as Core from 'kube-endpoints';
import type { EndpointSlice, Node, Pod, Service } from 'kube-endpoints/types';
import { type BenchCase, benchCases } from './cases.ts';
import { bestOf, microseconds, table } from './measure.ts';
import { chooseBySize } from './size.ts';

type Reconciler = ReturnType<typeof Core.createReconciler>;

/** A Service with pods and nodes; optionally with existing slices and one changed pod. */
interface SliceBenchCase {
  readonly id: string;
  readonly service: Service;
  readonly pods: readonly Pod[];
  readonly changed?: readonly Pod[];
  readonly nodes: readonly Node[];
}

const [firstSync, oneChanged] = ['first sync', 'one changed pod'] as const;

/** The required speed ratio, by the suffix of the case ID. */
const goals: Readonly<Record<string, number>> = { [firstSync]: 10, [oneChanged]: 20 };

/**
 * Times a complete `reconcileSlices` against the reconciler of `k8s.io/endpointslice` alone, which receives the pods that the Service
 * selects, their trigger time, and a client that does nothing.
 */
export function benchSlices(create: typeof Core.createReconciler, version: string, goProgram: string | undefined): string {
  // One size after another, so that the pods of one size do not slow down another size.
  const rows = chooseBySize([1000, 5000, 20_000], [200]).flatMap((size) =>
    createSliceCases(size).map((benchCase) => {
      const work = createSync(benchCase, () => create({ version }));
      const timings = Array.from({ length: 3 }, () => ({
        theirs: goProgram ? timeGoProgram(goProgram, benchCase) : Number.NaN,
        ours: bestOf(work),
      }));
      const theirTime = Math.min(...timings.map((timing) => timing.theirs));
      const ourTime = Math.min(...timings.map((timing) => timing.ours));
      const goal = goals[benchCase.id.replace(/^.*, /, '')];
      return [
        benchCase.id,
        goProgram ? microseconds(theirTime) : '-',
        microseconds(ourTime),
        goProgram ? `${(theirTime / ourTime).toFixed(1)} x` : '-',
        `${goal} x`,
      ];
    }),
  );
  return table(['reconcileSlices', `k8s.io/endpointslice ${version}`, 'kube-endpoints', 'faster', 'goal'], rows);
}

const createSliceCases = (size: number): SliceBenchCase[] =>
  benchCases([size])
    .filter(({ subsets, service }) => subsets === 1 && service.spec?.ports?.length === 1)
    .flatMap(toSliceCases);

function toSliceCases({ service, pods }: BenchCase): SliceBenchCase[] {
  const size = `${pods.length.toLocaleString('en-US')} pods`;
  const changedIndex = pods.length >> 1;
  const changed = pods.map((pod, i) => (i === changedIndex ? withFlippedReadiness(pod) : pod));
  return [
    { id: `${size}, ${firstSync}`, service, pods, nodes },
    { id: `${size}, ${oneChanged}`, service, pods, changed, nodes },
  ];
}

const nodes: readonly Node[] = Array.from({ length: 50 }, (_, i) => ({
  metadata: { name: `node-${i}`, labels: { 'topology.kubernetes.io/zone': `zone-${i % 3}` } },
  status: { allocatable: { cpu: '4' }, conditions: [{ type: 'Ready', status: 'True' }] },
}));

function withFlippedReadiness(pod: Pod): Pod {
  const conditions = pod.status?.conditions?.map((condition) =>
    condition.type === 'Ready' ? { ...condition, status: condition.status === 'True' ? 'False' : 'True' } : condition,
  );
  return { ...pod, status: { ...pod.status, conditions } };
}

/**
 * Creates the sync to time: the first sync of a new reconciler or, if pods change, a sync that alternates between two states of the pods
 * and sees the slices of the previous sync. As from a cache, each sync receives new lists of the same objects.
 */
function createSync({ id, service, pods, changed, nodes }: SliceBenchCase, create: () => Reconciler): () => unknown {
  const key = 'shop/web';
  const expectedSliceCount = Math.ceil(pods.length / 100);
  const syncFirst = (reconciler: Reconciler): ReturnType<Reconciler['reconcileSlices']> =>
    reconciler.reconcileSlices({ key, service, pods: [...pods], nodes: [...nodes], current: [] });
  if (!changed) return () => syncFirst(create());
  const reconciler = create();
  const first = syncFirst(reconciler);
  if (first.create.length !== expectedSliceCount) throw new Error(`${id}: ${first.create.length} slices instead of ${expectedSliceCount}`);
  const current = new Map(first.create.map((slice, i) => [`web-${i}`, withServerFields(slice, `web-${i}`)]));
  const podLists = [changed, pods];
  let syncCount = 0;
  return () => {
    const plan = reconciler.reconcileSlices({
      key,
      service,
      pods: [...(podLists[syncCount++ & 1] ?? [])],
      nodes: [...nodes],
      current: [...current.values()],
    });
    const [written] = plan.update;
    if (!written || plan.update.length + plan.create.length + plan.delete.length !== 1)
      throw new Error(`${id}: the sync did not make exactly one update`);
    const slice = withServerFields(written, written.metadata.name ?? '');
    current.set(written.metadata.name ?? '', slice);
    reconciler.observe(slice);
    return plan;
  };
}

/** A slice with the fields that an API server adds. */
const withServerFields = (slice: EndpointSlice, name: string): EndpointSlice => ({
  ...slice,
  metadata: { ...slice.metadata, name, uid: name, generation: (slice.metadata.generation ?? 0) + 1 },
});

function timeGoProgram(binary: string, benchCase: SliceBenchCase): number {
  const output = execFileSync(binary, ['bench-slices'], {
    input: `${JSON.stringify(benchCase)}\n`,
    encoding: 'utf8',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const { us, creates, updates } = JSON.parse(output) as { us: number; creates: number; updates: number };
  const isExpected = benchCase.changed
    ? creates === 0 && updates === 1
    : updates === 0 && creates === Math.ceil(benchCase.pods.length / 100);
  if (!isExpected) throw new Error(`${benchCase.id}: the original makes ${creates} creates and ${updates} updates a sync`);
  return us;
}
