import { overridesDueAnnotation } from '@kube-endpoints/controllers/internal';
import { pathOf } from '../api.ts';
import { type Check, check } from '../compare.ts';
import type { ControlPlane } from '../takeover/control-plane.ts';
import { waitUntil } from '../takeover/replica.ts';
import { checkNoLoop, checkRules } from './checks.ts';
import { churn } from './churn.ts';
import { ipOf, type Member, members, namespace, podsPerService, setAllReady, setReady } from './fleet.ts';
import type { Program, Webhook } from './processes.ts';
import { createRulesText, forbiddenRange, replaceFile } from './rules.ts';
import { checkSeveralSlices } from './several-slices.ts';
import type { Witness } from './witness.ts';

/** The environment of the checks. */
export interface ScenarioContext {
  readonly plane: ControlPlane;
  readonly witness: Witness;
  readonly webhook: Webhook;
  readonly seconds: number;
}

/** The controllers under test. */
export interface ControllersUnderTest {
  /** Identifies these controllers in the results of the checks. */
  readonly key: string;
  /** Whether the slice controller may see its own writes before the responses, and then write again. */
  readonly mayRepeatWrites: boolean;
}

const excludedMembers = members.filter(({ role }) => role === 'out');
const kinds = ['Endpoints', 'EndpointSlice'] as const;

/** Runs all checks with the given controllers. */
export async function runScenario({ key, mayRepeatWrites }: ControllersUnderTest, context: ScenarioContext): Promise<Check[]> {
  const { plane, witness, webhook, seconds } = context;
  await syncAll(context);
  await waitUntil('everything is ready', () => areExcluded(context, []), 120_000);
  const withoutRules = await churn(plane, witness, seconds);
  console.log(`${key}: without rules ${withoutRules.requests} writes in ${seconds} s`);
  replaceFile(webhook.rulesPath, createRulesText(0));
  await webhook.register(plane.api);
  let program = await webhook.start();
  try {
    const checks = [
      await checkEventually(key, 'rules take effect when the webhook starts, without a change of a pod', () => areExcluded(context, [0])),
    ];
    const withRules = await churn(plane, witness, seconds);
    checks.push(...checkRules(key, withRules), ...checkNoLoop(key, withoutRules, withRules, mayRepeatWrites));
    checks.push(
      ...(await checkSeveralSlices(key, plane.api)),
      ...(await checkRefusals(key, context)),
      ...(await checkReloads(key, context, program)),
    );
    await program.kill();
    checks.push(...(await checkWithoutWebhook(key, context)));
    program = await webhook.start();
    checks.push(
      await checkEventually(key, 'rules take effect again when the webhook restarts, without a change of a pod', () =>
        areExcluded(context, [1]),
      ),
    );
    await webhook.unregister(plane.api);
    checks.push(check(key, 'exit code of the webhook', await program.stop(), 0));
    return checks;
  } finally {
    await program.kill();
  }
}

/** Checks that a forbidden address is refused with a reason, and that an allowed one is written. */
async function checkRefusals(key: string, { plane: { api } }: ScenarioContext): Promise<Check[]> {
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
  const refusal = await write(forbiddenRange.replace(/0\.0\/16$/, '0.7'));
  return [
    check(key, `a forbidden address is refused by the rule: ${refusal}`, /denied the request.*fence/.test(refusal), true),
    check(key, 'an allowed address is written', await write('10.67.0.7'), 'written'),
  ];
}

/** Checks that changed rules apply at once, and that invalid rules are rejected and the previous rules stay in effect. */
async function checkReloads(key: string, context: ScenarioContext, program: Program): Promise<Check[]> {
  const { webhook } = context;
  replaceFile(webhook.rulesPath, createRulesText(1));
  const applied = await checkEventually(key, 'changed rules take effect, without a change of a pod', () => areExcluded(context, [1]));
  replaceFile(webhook.rulesPath, createRulesText(2).replace('keepOut', 'keepOff'));
  const refusal = await checkEventually(key, 'invalid rules are rejected', () =>
    program.output().includes('rejected, keeping the previous ones'),
  );
  const countBefore = context.witness.storedVersions.length;
  await flipAll(context, 3);
  // Per Service: its Endpoints and its slice are written when the pod becomes not ready, and again when it becomes ready.
  const written = await checkEventually(
    key,
    'endpoints are written after the rejection',
    () => context.witness.storedVersions.length >= countBefore + 4 * excludedMembers.length,
  );
  const stillApplied = await checkEventually(key, 'the previous rules stay in effect', () => areExcluded(context, [1]));
  replaceFile(webhook.rulesPath, createRulesText(1));
  return [applied, refusal, written, stillApplied];
}

/** Checks that writes pass unchanged without the webhook. */
async function checkWithoutWebhook(key: string, context: ScenarioContext): Promise<Check[]> {
  await flipAll(context, 3);
  return [await checkEventually(key, 'without the webhook writes pass unchanged', () => areExcluded(context, []))];
}

/** Whether these pods of every "out" Service are not shown as ready, and all other pods are. */
function areExcluded({ witness }: ScenarioContext, pods: readonly number[]): boolean {
  const expectedIPs = (member: Member): string =>
    Array.from({ length: podsPerService }, (_, pod) => pod)
      .filter((pod) => member.role !== 'out' || !pods.includes(pod))
      .map((pod) => ipOf(member, pod))
      .join();
  return kinds.every((kind) => members.every((member) => witness.ready(kind, member.service).join() === expectedIPs(member)));
}

/** Makes a pod of every "out" Service not ready and, once Endpoints and slices show it, ready again. */
async function flipAll({ plane: { api }, witness }: ScenarioContext, pod: number): Promise<void> {
  for (const member of excludedMembers) await setReady(api, member, pod, false);
  await waitUntil(
    'pods are not ready',
    () => kinds.every((kind) => excludedMembers.every((member) => !witness.ready(kind, member.service).includes(ipOf(member, pod)))),
    60_000,
  );
  for (const member of excludedMembers) await setReady(api, member, pod, true);
}

/** Triggers a sync of every Service. */
async function syncAll({ plane: { api } }: ScenarioContext): Promise<void> {
  await setAllReady(api);
  const annotations = { [overridesDueAnnotation]: new Date().toISOString() };
  for (const { service } of members) await api.mergePatch(pathOf('Service', namespace, service), { metadata: { annotations } });
}

async function checkEventually(key: string, what: string, condition: () => boolean): Promise<Check> {
  try {
    await waitUntil(what, condition, 60_000);
    return check(key, what, true, true);
  } catch {
    return check(key, what, false, true);
  }
}
