import { createApiServer } from '@kube-endpoints/apiserver';
import { KubeConfig } from '@kubernetes/client-node';
import type { Counts } from '../suites.ts';
import { type DroppingProxy, startDroppingProxy } from '../target/dropping-proxy.ts';
import type { Target } from '../target/target.ts';
import { runChecks } from './check.ts';
import { createCustomObjectChecks } from './custom-objects.ts';
import { createObjectChecks } from './objects.ts';
import { createRelistCheck, createWatchChecks } from './watching.ts';

/**
 * Runs @kubernetes/client-node against a target, through its kubeconfig, and once against an in-process server that compacts its history.
 */
export async function runClientNode(target: Target): Promise<Counts> {
  const config = new KubeConfig();
  config.loadFromFile(target.kubeconfig);
  const proxy = await startDroppingProxy(target.url);
  try {
    const checks = [
      ...createObjectChecks(config),
      ...createWatchChecks(withProxy(config, proxy), proxy),
      ...createCustomObjectChecks(config),
    ];
    const [counts, compactionCounts] = [await runChecks(checks), await runWithCompaction()];
    console.log(`${checks.length + 1} checks`);
    return { passed: counts.passed + compactionCounts.passed, failed: counts.failed + compactionCounts.failed };
  } finally {
    proxy.close();
  }
}

async function runWithCompaction(): Promise<Counts> {
  const server = await createApiServer();
  const { url, kubeconfig } = await server.listen();
  const proxy = await startDroppingProxy(url);
  try {
    const config = new KubeConfig();
    config.loadFromString(kubeconfig());
    return await runChecks([createRelistCheck(withProxy(config, proxy), proxy, () => server.compact())]);
  } finally {
    proxy.close();
    await server.close();
  }
}

/** Copies the configuration; the copy connects to the proxy instead of the server. */
function withProxy(config: KubeConfig, { url }: DroppingProxy): KubeConfig {
  const copy = new KubeConfig();
  copy.loadFromString(config.exportConfig());
  copy.clusters = copy.clusters.map((cluster) => ({ ...cluster, server: url }));
  return copy;
}
