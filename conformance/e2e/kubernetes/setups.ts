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

/** The controllers of kube-controller-manager whose work the embedded API server does by itself. */
const SERVER_CONTROLLERS = [
  'garbage-collector-controller',
  'namespace-controller',
  'persistentvolumeclaim-protection-controller',
  'resourcequota-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
];
const ENDPOINTS_CONTROLLERS = ['endpoints-controller', 'endpointslice-controller', 'endpointslice-mirroring-controller'];
const CONTROLLERS: Readonly<Record<Setup, readonly string[]>> = {
  server: SERVER_CONTROLLERS,
  endpoints: [...SERVER_CONTROLLERS, ...ENDPOINTS_CONTROLLERS],
  manager: ['*'],
};

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
  return isReal ? startReal(release) : startServerUnderTest({ background: setup !== 'manager' });
}

/** With the embedded API server, this project's controllers maintain the endpoints. */
async function startControllers(setup: Setup, target: Target, { isReal, release }: SetupOptions): Promise<{ stop(): Promise<unknown> }> {
  if (isReal || setup === 'manager') return startControllerManager(target, release, CONTROLLERS[setup]);
  return setup === 'endpoints' ? startReplica(target.kubeconfig) : { stop: async () => {} };
}
