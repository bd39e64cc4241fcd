import type { Registry } from 'prom-client';
import type { Happening, Tell } from '../../happening.ts';
import { createCounter, createHistogram } from './series.ts';

/**
 * What the service controller reports, under the names of k8s.io/cloud-provider (1.36, controllers/service/metrics.go), and what the cloud
 * was asked.
 */
export function createBalancingMetrics(registry: Registry): Tell {
  const family = (name: string, help: string) => ({ registry, name, help });
  const own = (name: string, help: string) => family(`service_controller_${name}`, help);
  const updates = createCounter(own('loadbalancer_sync_total', 'How often the nodes of a load balancer were to be brought up to date.'));
  const failed = createCounter(own('nodesync_error_total', 'How often that failed.'));
  const looks = createHistogram(own('nodesync_latency_seconds', 'How long looks at the nodes took, in seconds.'), powers);
  const hosts = createHistogram(
    own('update_loadbalancer_host_latency_seconds', 'How long updates of the nodes of a load balancer took, in seconds.'),
    powers,
  );
  const calls = createCounter({
    ...family('kube_endpoints_cloud_calls_total', 'How many calls of the cloud there were, by what became of them.'),
    labelNames: ['call', 'outcome'],
  });
  const seconds = createHistogram(
    { ...family('kube_endpoints_cloud_call_duration_seconds', 'How long calls of the cloud took, in seconds.'), labelNames: ['call'] },
    callBuckets,
  );
  const orphans = createCounter({
    ...family('kube_endpoints_orphaned_load_balancers_total', 'How many load balancers seemed to have no Service, by what became of them.'),
    labelNames: ['outcome'],
  });
  for (const counter of [updates, failed]) counter.inc([], 0);
  const onCall = ({ call, outcome, milliseconds }: Extract<Happening, { kind: 'cloud' }>): void => {
    calls.inc([call, outcome]);
    seconds.observe([call], milliseconds / 1000);
    if (call !== 'update') return;
    updates.inc([]);
    hosts.observe([], milliseconds / 1000);
  };
  return (happening) => {
    if (happening.kind === 'cloud') onCall(happening);
    else if (happening.kind === 'orphan') orphans.inc([happening.outcome]);
    else if (happening.kind === 'nodes' && happening.state === 'ended') {
      looks.observe([], happening.milliseconds / 1000);
      failed.inc([], happening.failed);
    }
  };
}

/** 1, 2, … 16,384. */
const powers = Array.from({ length: 15 }, (_, power) => 2 ** power);

const callBuckets = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300];
