import { startControllerManager } from '../apiserver/controllers/controller-manager.ts';
import { startReal } from '../apiserver/target/real.ts';
import { startServerUnderTest } from '../apiserver/target/server-under-test.ts';
import { type Target, withRunning } from '../apiserver/target/target.ts';
import { startFakeKubelet } from '../fake-kubelet/kubelet.ts';
import { startReplica } from '../takeover/replica.ts';
import type { Setup } from './list.ts';

export interface SetupOptions {
  readonly release: string;
  /** Whether to run the tests against a real API server instead of the embedded one. */
  readonly isReal: boolean;
}

/** What the embedded API server does by itself without a kube-controller-manager. */
const BACKGROUND_CONTROLLERS = ['namespace-controller', 'garbage-collector-controller'];
const ENDPOINTS_CONTROLLERS = ['endpoints-controller', 'endpointslice-controller', 'endpointslice-mirroring-controller'];

/** Starts an API server, the controllers of a setup and a fake kubelet, runs `work`, and stops them. Returns the kubelet's problems too. */
export async function withSetup(
  setup: Setup,
  options: SetupOptions,
  work: (target: Target) => Promise<void>,
): Promise<{ readonly kubeletProblems: readonly string[] }> {
  return withRunning(
    () => startServer(setup, options),
    (target) =>
      withRunning(
        () => startControllers(setup, target, options),
        () =>
          withRunning(
            () => startFakeKubelet(target),
            async ({ problems }) => {
              await work(target);
              return { kubeletProblems: problems };
            },
          ),
      ),
  );
}

function startServer(setup: Setup, { isReal, release }: SetupOptions): Promise<Target> {
  if (!isReal) return startServerUnderTest({ background: setup !== 'manager' });
  const controllers = { server: BACKGROUND_CONTROLLERS, endpoints: [...BACKGROUND_CONTROLLERS, ...ENDPOINTS_CONTROLLERS], manager: [] };
  return startReal(release, controllers[setup]);
}

/** With the embedded API server, this project's controllers maintain the endpoints. */
async function startControllers(setup: Setup, target: Target, { isReal, release }: SetupOptions): Promise<{ stop(): Promise<unknown> }> {
  if (setup === 'manager') return startControllerManager(target, release, ['*']);
  if (setup === 'endpoints' && !isReal) return startReplica(target.kubeconfig);
  return { stop: async () => {} };
}
