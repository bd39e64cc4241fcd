import { createOverrides, type OverrideResult } from '@kube-endpoints/overrides';
import { ApiError, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createWebhookClock, type ManualClock, removalRules, waitUntil } from '../../../../overrides/test/webhook/support.ts';
import type { EvaluatedObject } from '../../../src/live/webhook/context.ts';
import { createRenewal, type Renewal } from '../../../src/live/webhook/renewal.ts';

interface Scenario {
  readonly clock: ManualClock;
  readonly renewal: Renewal;
  /** Patches, outcomes and scheduled resyncs, in order. */
  readonly log: string[];
  stored: EvaluatedObject[];
  ready: boolean;
  failure: string | undefined;
}

const createResult = (overrides: Partial<OverrideResult>): OverrideResult => ({
  object: {},
  changed: false,
  patch: [],
  decisions: [],
  ...overrides,
});
const createObject = (name: string, overrides: Partial<OverrideResult>): EvaluatedObject => ({
  resource: resources.endpoints,
  namespace: 'shop',
  name,
  resourceVersion: '7',
  service: `shop/${name}`,
  result: createResult(overrides),
});

function createScenario(): Scenario {
  const clock = createWebhookClock();
  const log: string[] = [];
  const renewal = createRenewal({
    clock,
    port: {
      async patch(resource, { namespace, name }, patch, { type }) {
        log.push(`${type} patch of ${resource.plural} ${namespace}/${name}: ${JSON.stringify(patch)}`);
        const { failure } = state;
        if (failure) throw new ApiError({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: failure, code: 409 });
        return { metadata: {} };
      },
    },
    context: {
      get ready() {
        return state.ready;
      },
      evaluate: () => state.stored,
    },
    resyncScheduler: { at: (key, due) => void log.push(`resync ${key} ${String(due)}`) },
    overrides: () => createOverrides(removalRules),
    onEvent: (outcome, key, error) => void log.push(`${outcome} ${key}${error ? ' with an error' : ''}`),
  });
  const state: Scenario = { clock, renewal, log, stored: [], ready: true, failure: undefined };
  return state;
}

describe('a renewal', () => {
  it('patches only the objects that the rules would change', async () => {
    const scenario = createScenario();
    scenario.stored = [createObject('a', { changed: true }), createObject('b', {}), createObject('c', { refused: {} as never })];
    await scenario.renewal.check();
    expect(scenario.log).toEqual(['merge patch of endpoints shop/a: {"metadata":{"resourceVersion":"7"}}', 'renewed endpoints shop/a']);
  });

  it('patches nothing before the caches have synced', async () => {
    const scenario = createScenario();
    scenario.stored = [createObject('a', { changed: true })];
    scenario.ready = false;
    await scenario.renewal.check();
    expect(scenario.log).toEqual([]);
  });

  it.each([
    ['Conflict', 'overtaken endpoints shop/a'],
    ['NotFound', 'overtaken endpoints shop/a'],
    ['Forbidden', 'failed endpoints shop/a with an error'],
  ])('reports a patch that fails with %s as "%s"', async (failure, event) => {
    const scenario = createScenario();
    scenario.stored = [createObject('a', { changed: true })];
    scenario.failure = failure;
    await scenario.renewal.check();
    expect(scenario.log.at(-1)).toBe(event);
  });

  it('schedules a resync for the time at which a delayed change is due', async () => {
    const scenario = createScenario();
    scenario.stored = [createObject('a', { due: '2026-07-01T12:00:10Z' })];
    await scenario.renewal.check();
    expect(scenario.log).toEqual(['resync shop/a 2026-07-01T12:00:10Z']);
  });
});

describe('the renewal loop', () => {
  it('runs periodically, and shortly after it is requested', async () => {
    const scenario = createScenario();
    const stop = new AbortController();
    const running = scenario.renewal.run(stop.signal);
    scenario.stored = [createObject('a', { changed: true })];
    scenario.clock.advance(59_999);
    await waitUntil(() => true);
    expect(scenario.log).toEqual([]);
    scenario.clock.advance(1);
    await waitUntil(() => scenario.log.length === 2);
    await waitUntil(() => scenario.clock.scheduled === 1);
    scenario.renewal.scheduleSoon();
    await waitUntil(() => scenario.clock.scheduled === 1);
    expect(scenario.log).toHaveLength(2);
    await advanceUntil(scenario, 3_000, () => scenario.log.length === 4);
    stop.abort();
    await running;
    expect(scenario.clock.scheduled).toBe(0);
  });
});

/** Advances the clock by at most `milliseconds` in small steps, then waits for the condition. */
async function advanceUntil({ clock }: Scenario, milliseconds: number, condition: () => boolean): Promise<void> {
  for (let elapsed = 0; elapsed < milliseconds; elapsed += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  await waitUntil(condition);
}
