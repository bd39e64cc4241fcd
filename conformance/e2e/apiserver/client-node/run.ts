import { createApiServer } from '@kube-endpoints/apiserver';
import { KubeConfig } from '@kubernetes/client-node';
import type { Counts } from '../parts.ts';
import { type DroppingProxy, startDroppingProxy } from '../target/dropping-proxy.ts';
import type { Target } from '../target/target.ts';
import { runChecks } from './check.ts';
import { customObjectChecks } from './custom-objects.ts';
import { objectChecks } from './objects.ts';
import { goneCheck, watchChecks } from './watching.ts';

/**
 * Runs @kubernetes/client-node against a target, through its kubeconfig, and once against an in-process server that compacts its history.
 */
export async function runClientNode(target: Target): Promise<Counts> {
  const config = new KubeConfig();
  config.loadFromFile(target.kubeconfig);
  const proxy = await startDroppingProxy(target.url);
  try {
    const checks = [...objectChecks(config), ...watchChecks(through(config, proxy), proxy), ...customObjectChecks(config)];
    const [first, second] = [await runChecks(checks), await runWithCompaction()];
    console.log(`${checks.length + 1} checks`);
    return { passed: first.passed + second.passed, failed: first.failed + second.failed };
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
    return await runChecks([goneCheck(through(config, proxy), proxy, () => server.compact())]);
  } finally {
    proxy.close();
    await server.close();
  }
}

/** The same configuration with the proxy instead of the server. */
function through(config: KubeConfig, { url }: DroppingProxy): KubeConfig {
  const copy = new KubeConfig();
  copy.loadFromString(config.exportConfig());
  copy.clusters = copy.clusters.map((cluster) => ({ ...cluster, server: url }));
  return copy;
}
