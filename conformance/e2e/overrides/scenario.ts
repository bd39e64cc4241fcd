import { overridesDueAnnotation } from '@kube-endpoints/controllers/internal';
import { pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { until } from '../takeover/replica.ts';
import { checkNoLoop, checkRules } from './checks.ts';
import { churn } from './churn.ts';
import { ipOf, type Member, members, namespace, podsEach, setAllReady, setReady } from './fleet.ts';
import type { Program, Webhook } from './processes.ts';
import { forbidden, replaceFile, rulesText } from './rules.ts';
import { severalSlices } from './several-slices.ts';
import type { Witness } from './witness.ts';

/** The environment of the checks. */
export interface Stage {
  readonly plane: ControlPlane;
  readonly witness: Witness;
  readonly webhook: Webhook;
  readonly seconds: number;
}

/** The controllers under test, and whether their slice controller may see its own writes before the responses. */
export interface ControllerKind {
  readonly key: string;
  readonly echoes: boolean;
}

const outs = members.filter(({ role }) => role === 'out');
const kinds = ['Endpoints', 'EndpointSlice'] as const;

/** All checks of rules with one kind of controllers. */
export async function runScenario({ key, echoes }: ControllerKind, stage: Stage): Promise<Check[]> {
  const { plane, witness, webhook, seconds } = stage;
  await syncAll(stage);
  await until('everything is ready', () => areExcluded(stage, []), 120_000);
  const without = await churn(plane, witness, seconds);
  console.log(`${key}: without rules ${without.requests} writes in ${seconds} s`);
  replaceFile(webhook.rules, rulesText(0));
  await webhook.register(plane.api);
  let program = await webhook.start();
  try {
    const checks = [await checkEventually(key, 'rules hold from the start on, without a change of a pod', () => areExcluded(stage, [0]))];
    const beside = await churn(plane, witness, seconds);
    checks.push(...checkRules(key, beside), ...checkNoLoop(key, without, beside, echoes));
    checks.push(
      ...(await severalSlices(key, plane.api)),
      ...(await checkRefusals(key, stage)),
      ...(await checkReloads(key, stage, program)),
    );
    await program.kill();
    checks.push(...(await checkWithoutWebhook(key, stage)));
    program = await webhook.start();
    checks.push(
      await checkEventually(key, 'rules hold again when the webhook is back, without a change of a pod', () => areExcluded(stage, [1])),
    );
    await webhook.unregister(plane.api);
    checks.push(check(key, 'exit code of the webhook', await program.stop(), 0));
    return checks;
  } finally {
    await program.kill();
  }
}

/** Forbidden addresses are refused with a reason; everything else is written. */
async function checkRefusals(key: string, { plane: { api } }: Stage): Promise<Check[]> {
  const write = async (ip: string): Promise<string> => {
    const metadata = { namespace, name: 'by-hand' };
    const path = pathOf('Endpoints', namespace);
    try {
      await api.post(path, { apiVersion: 'v1', kind: 'Endpoints', metadata, subsets: [{ addresses: [{ ip }], ports: [{ port: 80 }] }] });
      await api.delete(pathOf('Endpoints', namespace, 'by-hand'));
      return 'written';
    } catch (error) {
      return (error as Error).message;
    }
  };
  const refused = await write(forbidden.replace(/0\.0\/16$/, '0.7'));
  return [
    check(key, `a forbidden address is refused by the rule: ${refused}`, /denied the request.*fence/.test(refused), true),
    check(key, 'an allowed address is written', await write('10.67.0.7'), 'written'),
  ];
}

/** Changed rules apply at once; invalid ones are rejected and the previous ones stay in effect. */
async function checkReloads(key: string, stage: Stage, program: Program): Promise<Check[]> {
  const { webhook } = stage;
  replaceFile(webhook.rules, rulesText(1));
  const changed = await checkEventually(key, 'rules that changed act, without a change of a pod', () => areExcluded(stage, [1]));
  replaceFile(webhook.rules, rulesText(2).replace('keepOut', 'keepOff'));
  const refused = await checkEventually(key, 'invalid rules are rejected', () =>
    program.output().includes('rejected, keeping the previous ones'),
  );
  const before = stage.witness.storedVersions.length;
  await flipAll(stage, 3);
  const written = await checkEventually(
    key,
    'endpoints are written after that',
    () => stage.witness.storedVersions.length >= before + 4 * outs.length,
  );
  const stay = await checkEventually(key, 'the rules before stay', () => areExcluded(stage, [1]));
  replaceFile(webhook.rules, rulesText(1));
  return [changed, refused, written, stay];
}

/** Without the webhook, writes pass unchanged. */
async function checkWithoutWebhook(key: string, stage: Stage): Promise<Check[]> {
  await flipAll(stage, 3);
  return [await checkEventually(key, 'without the webhook writes pass unchanged', () => areExcluded(stage, []))];
}

/** Whether in every Service exactly these pods are not shown as ready. */
function areExcluded({ witness }: Stage, pods: readonly number[]): boolean {
  const wanted = (member: Member): string =>
    Array.from({ length: podsEach }, (_, pod) => pod)
      .filter((pod) => member.role !== 'out' || !pods.includes(pod))
      .map((pod) => ipOf(member, pod))
      .join();
  return kinds.every((kind) => members.every((member) => witness.ready(kind, member.service).join() === wanted(member)));
}

/** Flips a pod of every Service under rules, and flips it back once that is visible in Endpoints and slices. */
async function flipAll({ plane: { api }, witness }: Stage, pod: number): Promise<void> {
  for (const member of outs) await setReady(api, member, pod, false);
  await until(
    'pods are not ready',
    () => kinds.every((kind) => outs.every((member) => !witness.ready(kind, member.service).includes(ipOf(member, pod)))),
    60_000,
  );
  for (const member of outs) await setReady(api, member, pod, true);
}

/** Triggers a sync of every Service. */
async function syncAll({ plane: { api } }: Stage): Promise<void> {
  await setAllReady(api);
  const annotations = { [overridesDueAnnotation]: new Date().toISOString() };
  for (const { service } of members) await api.merge(pathOf('Service', namespace, service), { metadata: { annotations } });
}

async function checkEventually(key: string, what: string, isSo: () => boolean): Promise<Check> {
  try {
    await until(what, isSo, 60_000);
    return check(key, what, true, true);
  } catch {
    return check(key, what, false, true);
  }
}
