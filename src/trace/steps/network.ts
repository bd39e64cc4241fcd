import { objectKey } from '../../apimachinery/index.ts';
import { evaluateTraffic, findDenyingPolicies, type PolicyObjects, type TrafficDecision } from '../../policy/index.ts';
import { formatPolicy } from '../../policy/reasons.ts';
import type { Cluster } from '../cluster.ts';
import type { Origin } from '../origin.ts';
import { createItem, createNote, enumerate, removeFullStop } from '../reasons.ts';
import type { Target } from '../target.ts';
import { createStep, type StepResult, type TraceItem, type TraceNote, type TraceStep } from '../trace.ts';
import type { Port } from './ports.ts';

export interface NetworkInput {
  /** The endpoints that get traffic, such as "web-1 10.0.0.1:8080". */
  readonly endpoints: readonly TraceItem[];
  readonly protocol: string;
  /** The port of endpoints whose text has none: a client of a headless Service chooses it. */
  readonly directPort?: number | undefined;
  readonly origin: Origin;
  /** Whether endpoints see the address of the client: not if a node or a load balancer replaces it. */
  readonly keepsClientAddress: boolean;
}

/** Creates the step "network": what network policies allow between the client and the endpoints. Undefined if there are no policies. */
export function createNetworkStep(input: NetworkInput, cluster: Cluster): StepResult | undefined {
  const { policies } = cluster.objects;
  if (!policies || Object.values(policies).every((list) => [...list].length === 0)) return undefined;
  const targets = input.endpoints.flatMap((item) => readTarget(item, input.directPort) ?? []);
  if (targets.length === 0) return undefined;
  const { namespaces, nodes } = cluster.objects;
  const objects: PolicyObjects = { ...policies, namespaces: namespaces ?? [], ...(nodes && { nodes }) };
  const results = targets.map((target) => ({ target, ...judge(target, input, objects, cluster) }));
  const denied = results.filter(({ allowed }) => allowed === false);
  const undecided = results.filter(({ allowed }) => allowed === 'unknown');
  const { outcome, notes } = summarize(results);
  const toItem = ({ target, note }: (typeof results)[number]): TraceItem =>
    createItem(target.id, target.label, notes.includes(note) || note.code === 'NoPoliciesApply' ? [] : [note]);
  return createStep('network', 'Network policies', {
    outcome,
    notes,
    chosen: [...results.filter(({ allowed }) => allowed === true), ...undecided].map(toItem),
    leftOut: denied.map(toItem),
    cause: denied[0] && removeFullStop(denied[0].note.message),
  });
}

interface PolicyTarget {
  readonly id: string;
  readonly label: string;
  /** "shop/web-1" */
  readonly pod: string;
  readonly port: number;
}

interface Judgement {
  readonly allowed: boolean | 'unknown';
  readonly note: TraceNote;
}

/** The pod and the port of an endpoint; undefined if the endpoint is no pod or has no port. */
function readTarget({ id, label }: TraceItem, directPort: number | undefined): PolicyTarget | undefined {
  const [, pod] = /^pod\/(.+)$/.exec(id) ?? [];
  const [, text] = / (?:[\d.]+|\[.*\]):(\d+)$/.exec(label) ?? [];
  const port = text === undefined ? directPort : Number(text);
  return pod === undefined || port === undefined ? undefined : { id, label, pod, port };
}

function judge(
  { pod, port }: PolicyTarget,
  { origin, protocol, keepsClientAddress }: NetworkInput,
  policyObjects: PolicyObjects,
  cluster: Cluster,
): Judgement {
  const values = { pods: pod, port: `${port}/${protocol}` };
  const [namespace = '', name = ''] = pod.split('/');
  const target = cluster.findPod(namespace, name);
  if (!target) return { allowed: 'unknown', note: createNote('PoliciesUndecided', { ...values, reason: 'the pod is unknown' }) };
  // Only the two ends are evaluated: an evaluation reads the addresses of all pods that it is given.
  const objects = { ...policyObjects, pods: [...(origin.pod ? [origin.pod] : []), target] };
  if (!origin.pod || !keepsClientAddress) {
    const denying = findDenyingPolicies(target, port, protocol, objects);
    const policies = denying.map(formatPolicy);
    if (policies.length > 0) {
      const reason = `no ingress rule of ${enumerate(policies, 3)} allows it`;
      return createDenial({ ...values, client: ' to every client' }, { direction: 'ingress', subject: pod, policies, reason });
    }
    const { ingress } = evaluateTraffic({ from: { ip: anyAddress }, to: { pod }, port, protocol }, objects);
    const isSelected = ingress.policies.length > 0;
    return isSelected
      ? { allowed: 'unknown', note: createNote(origin.isProxy ? 'ProxyUnknownToPolicies' : 'ClientUnknownToPolicies', values) }
      : { allowed: true, note: createNote('NoPoliciesApply') };
  }
  const client = objectKey(origin.pod);
  const { allowed, egress, ingress } = evaluateTraffic({ from: { pod: client }, to: { pod }, port, protocol }, objects);
  const isSelected = egress.policies.length + ingress.policies.length > 0;
  if (allowed === true) return { allowed, note: isSelected ? createNote('PoliciesAllow', values) : createNote('NoPoliciesApply') };
  const [direction, decision] = egress.allowed === allowed ? (['egress', egress] as const) : (['ingress', ingress] as const);
  if (allowed === 'unknown') return { allowed, note: createNote('PoliciesUndecided', { ...values, reason: reasonOf(decision) }) };
  const denial = explainDenial(decision, direction, direction === 'egress' ? client : pod);
  return createDenial({ ...values, client: ` to ${client}` }, denial);
}

/** An address for documentation (RFC 5737), which stands for any client. */
const anyAddress = '192.0.2.1';

const reasonOf = ({ reasons }: TrafficDecision): string => {
  const [first] = reasons;
  return first ? removeFullStop(first.message.replace(/^(?:No|The|These)(?= )/, (word) => word.toLowerCase())) : '';
};

interface Denial {
  readonly direction: 'egress' | 'ingress';
  /** "shop/web-1" */
  readonly subject: string;
  /** The policies that deny the traffic, the deciding one first: "NetworkPolicy shop/deny". */
  readonly policies: readonly string[];
  readonly reason: string;
}

/** Without a matching rule, the policies that select the subject deny the traffic; otherwise the policy of the rule does. */
function explainDenial(decision: TrafficDecision, direction: Denial['direction'], subject: string): Denial {
  const [reason] = decision.reasons;
  const policies = (reason?.policy ? [reason.policy] : decision.policies).map(formatPolicy);
  const isUnmatched = reason?.code === 'NoRuleAllows';
  const text = isUnmatched ? `no ${direction} rule of ${enumerate(policies, 3)} allows it` : reasonOf(decision);
  return { direction, subject, policies, reason: text };
}

function createDenial(values: Readonly<Record<string, string>>, { direction, subject, policies, reason }: Denial): Judgement {
  const [policy = ''] = policies;
  const fix = policy.startsWith('NetworkPolicy')
    ? `add an ${direction} rule for this traffic to a NetworkPolicy that selects ${subject}`
    : `change the rule in ${policy}, or add one with a higher precedence`;
  const note = createNote('PoliciesDeny', { ...values, reason, fix }, `networkpolicy.spec.${direction}`);
  return { allowed: false, note: policy === '' ? note : { ...note, object: policy } };
}

/** Pods with the same result share a note. */
function summarize(results: readonly (Judgement & { readonly target: PolicyTarget })[]): {
  readonly outcome: TraceStep['outcome'];
  readonly notes: readonly TraceNote[];
} {
  const byAllowed = (wanted: Judgement['allowed']): readonly (Judgement & { readonly target: PolicyTarget })[] =>
    results.filter(({ allowed }) => allowed === wanted);
  const [denied, undecided] = [byAllowed(false), byAllowed('unknown')];
  const shown = [denied, undecided, byAllowed(true)].flatMap((group) => group.slice(0, 1).map(({ note }) => note));
  const rest =
    denied.length > 1
      ? [
          createNote('PoliciesDenyMore', {
            pods: enumerate(
              denied.slice(1).map(({ target }) => target.pod),
              3,
            ),
          }),
        ]
      : [];
  const outcome = denied.length === results.length ? 'error' : denied.length > 0 ? 'warning' : undecided.length > 0 ? 'unknown' : 'ok';
  return { outcome, notes: [...shown, ...rest] };
}

/** The port to which a client of a headless Service connects: none if it is a name that only containers have. */
export function directPortOf({ port: requested }: Target, port: Port | undefined): number | undefined {
  const number = Number(requested ?? port?.targetPort);
  return Number.isInteger(number) && number > 0 ? number : Number(port?.targetPort) || undefined;
}
