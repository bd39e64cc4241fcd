import { describe, expect, test } from 'vitest';
import type { CoreEvent } from '../../../src/events/event.ts';
import type { RuntimeEvent } from '../../../src/host/runtime-event.ts';
import { informerEvent } from '../runtime-events.ts';
import { filterSamples, scrapeAfter } from './scrape.ts';

describe('metrics of the replica', () => {
  test('cover its caches', async () => {
    const failedInformerEvent = informerEvent({ state: 'waiting', error: new Error('gone'), delay: 800 });
    const samples = await scrapeAfter(
      [informerEvent({ objects: 3 }), failedInformerEvent, informerEvent({ resource: 'nodes', objects: 2 })],
      {
        objects: () => ({ pods: 30 }),
      },
    );
    expect(filterSamples(samples, /^kube_endpoints_(cache|informer).*(pods|nodes)"(\}|,state="wa)/)).toEqual({
      'kube_endpoints_cache_objects{resource="pods"}': 30,
      'kube_endpoints_cache_objects{resource="nodes"}': 2,
      'kube_endpoints_informer_state{resource="pods",state="watching"}': 0,
      'kube_endpoints_informer_state{resource="pods",state="waiting"}': 1,
      'kube_endpoints_informer_state{resource="nodes",state="watching"}': 1,
      'kube_endpoints_informer_state{resource="nodes",state="waiting"}': 0,
      'kube_endpoints_informer_failures_total{resource="pods"}': 1,
      'kube_endpoints_informer_failures_total{resource="nodes"}': 0,
    });
  });

  test('cover leadership, shards, Events and the build', async () => {
    const events: RuntimeEvent[] = [
      { kind: 'leadership', identity: 'a', leads: true, leader: 'a' },
      { kind: 'shards', identity: 'a', members: ['a', 'b', 'c'] },
      { kind: 'event', event: { type: 'Warning' } as CoreEvent, outcome: 'filtered' },
    ];
    const samples = await scrapeAfter(events, { lease: 'my-lease', build: { version: '1.2.3', release: '1.36' } });
    expect(filterSamples(samples, /^(leader|kube_endpoints_(shard|build|events))/)).toEqual({
      'leader_election_master_status{name="my-lease"}': 1,
      kube_endpoints_shard_members: 3,
      'kube_endpoints_events_total{type="Warning",outcome="filtered"}': 1,
      'kube_endpoints_build_info{version="1.2.3",release="1.36"}': 1,
    });
  });
});

test('requests are counted by code, method and host; watches have no duration', async () => {
  const request = { kind: 'request', resource: 'pods', milliseconds: 50 } as const;
  const samples = await scrapeAfter(
    [
      { ...request, verb: 'list', code: 200 },
      { ...request, verb: 'watch', code: 200 },
      { ...request, verb: 'update', code: 409 },
      { ...request, verb: 'create', code: 0 },
    ],
    { host: 'api:6443' },
  );
  expect(filterSamples(samples, /^rest_client_requests_total|duration_seconds_count/)).toEqual({
    'rest_client_requests_total{code="200",method="GET",host="api:6443"}': 2,
    'rest_client_requests_total{code="409",method="PUT",host="api:6443"}': 1,
    'rest_client_requests_total{code="<error>",method="POST",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="GET",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="PUT",host="api:6443"}': 1,
    'rest_client_request_duration_seconds_count{verb="POST",host="api:6443"}': 1,
  });
});

test('waits for the rate limiter have a histogram, and its saturation is a gauge if the limiter is given', async () => {
  const throttled = { kind: 'throttled', verb: 'update', resource: 'endpoints' } as const;
  const events: RuntimeEvent[] = [
    { ...throttled, milliseconds: 0 },
    { ...throttled, milliseconds: 150 },
  ];
  const pattern = /^rest_client_rate_limiter_duration_seconds_(sum|count)|rate_limiter_use/;
  const sums = {
    'rest_client_rate_limiter_duration_seconds_sum{verb="PUT",host="api:6443"}': 0.15,
    'rest_client_rate_limiter_duration_seconds_count{verb="PUT",host="api:6443"}': 2,
  };
  expect(filterSamples(await scrapeAfter(events, { host: 'api:6443' }), pattern)).toEqual(sums);
  expect(filterSamples(await scrapeAfter(events, { host: 'api:6443', rateLimiter: { saturation: 1.5 } }), pattern)).toEqual({
    ...sums,
    endpoint_controller_rate_limiter_use: 1.5,
  });
});
