import { createOverrides, type OverrideResult } from '@kube-endpoints/overrides';
import { ApiError, resources } from 'kube-endpoints/port';
import { describe, expect, it } from 'vitest';
import { createWebhookClock, type ManualClock, outRule, until } from '../../../../overrides/test/webhook/support.ts';
import type { EvaluatedObject } from '../../../src/live/webhook/context.ts';
import { createRenewal, type Renewal } from '../../../src/live/webhook/renewal.ts';

interface World {
  readonly clock: ManualClock;
  readonly renewal: Renewal;
  /** Patches, outcomes and scheduled resyncs, in order. */
  readonly log: string[];
  stored: EvaluatedObject[];
  ready: boolean;
  failure: string | undefined;
}

const result = (more: Partial<OverrideResult>): OverrideResult => ({ object: {}, changed: false, patch: [], decisions: [], ...more });
const stored = (name: string, more: Partial<OverrideResult>): EvaluatedObject => ({
  resource: resources.endpoints,
  namespace: 'shop',
  name,
  resourceVersion: '7',
  service: `shop/${name}`,
  result: result(more),
});

function world(): World {
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
    resyncScheduler: { at: (key, due) => void log.push(`kick ${key} ${String(due)}`) },
    overrides: () => createOverrides(outRule),
    onEvent: (outcome, key, error) => void log.push(`${outcome} ${key}${error ? ' with an error' : ''}`),
  });
  const state: World = { clock, renewal, log, stored: [], ready: true, failure: undefined };
  return state;
}

describe('a renewal', () => {
  it('patches only the objects that the rules would change', async () => {
    const all = world();
    all.stored = [stored('a', { changed: true }), stored('b', {}), stored('c', { refused: {} as never })];
    await all.renewal.check();
    expect(all.log).toEqual(['merge patch of endpoints shop/a: {"metadata":{"resourceVersion":"7"}}', 'renewed endpoints shop/a']);
  });

  it('patches nothing before the caches have synced', async () => {
    const all = world();
    all.stored = [stored('a', { changed: true })];
    all.ready = false;
    await all.renewal.check();
    expect(all.log).toEqual([]);
  });

  it.each([
    ['Conflict', 'overtaken endpoints shop/a'],
    ['NotFound', 'overtaken endpoints shop/a'],
    ['Forbidden', 'failed endpoints shop/a with an error'],
  ])('reports %s', async (failure, reported) => {
    const all = world();
    all.stored = [stored('a', { changed: true })];
    all.failure = failure;
    await all.renewal.check();
    expect(all.log.at(-1)).toBe(reported);
  });

  it('schedules the resync of a held change again', async () => {
    const all = world();
    all.stored = [stored('a', { due: '2026-07-01T12:00:10Z' })];
    await all.renewal.check();
    expect(all.log).toEqual(['kick shop/a 2026-07-01T12:00:10Z']);
  });
});

describe('the renewal loop', () => {
  it('runs periodically, and shortly after it is requested', async () => {
    const all = world();
    const stop = new AbortController();
    const running = all.renewal.run(stop.signal);
    all.stored = [stored('a', { changed: true })];
    all.clock.advance(59_999);
    await until(() => true);
    expect(all.log).toEqual([]);
    all.clock.advance(1);
    await until(() => all.log.length === 2);
    await until(() => all.clock.scheduled === 1);
    all.renewal.scheduleSoon();
    await until(() => all.clock.scheduled === 1);
    expect(all.log).toHaveLength(2);
    await advanceUntil(all, 3_000, () => all.log.length === 4);
    stop.abort();
    await running;
    expect(all.clock.scheduled).toBe(0);
  });
});

/** Advances the clock by at most `milliseconds` in small steps, then waits for the condition. */
async function advanceUntil({ clock }: World, milliseconds: number, condition: () => boolean): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  await until(condition);
}
