import { reasonForNoCluster } from '../cluster.ts';
import { runClientNode } from './client-node/run.ts';
import { runComparison } from './compare/run.ts';
import { runControllers } from './controllers/run.ts';
import { runHttp2 } from './http2/run.ts';
import { kubectlProblem, runKubectl } from './kubectl/run.ts';
import { authorizationScript } from './script/authorization.ts';
import { script } from './script/script.ts';
import { startReal } from './target/real.ts';
import { type ServerUnderTestOptions, startServerUnderTest } from './target/server-under-test.ts';
import { type Target, withRunning } from './target/target.ts';

export interface Options {
  readonly release: string;
  readonly topics: readonly string[];
  readonly against: 'real' | 'ours';
  /** The minimum duration of the controllers suite. */
  readonly seconds: number;
  readonly seed: number;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

export interface Suite {
  /** Returns the reason why the suite cannot run on this machine; undefined if it can. */
  readonly skipReason: (options: Options) => string | undefined;
  readonly run: (options: Options) => Promise<Counts>;
}

export const suites: Readonly<Record<string, Suite>> = {
  compare: {
    skipReason: ({ release }) => reasonForNoCluster(release),
    run: (options) => withBoth(options, WITHOUT_BACKGROUND, (real, ours) => runComparison(real, ours, script, options.topics)),
  },
  authorization: {
    skipReason: ({ release }) => reasonForNoCluster(release),
    run: (options) =>
      withBoth(options, WITH_RBAC, (real, ours) =>
        runComparison(real, ours, authorizationScript, options.topics, { requiresExplanations: false }),
      ),
  },
  http2: {
    skipReason: ({ release }) => reasonForNoCluster(release),
    run: (options) => withBoth(options, WITHOUT_BACKGROUND, (real, ours) => runHttp2(real, ours, options.topics)),
  },
  kubectl: {
    skipReason: kubectlProblem,
    run(options) {
      if (reasonForNoCluster(options.release) === undefined)
        return withBoth(options, WITH_BACKGROUND, (real, ours) => runKubectl(ours, real));
      console.log('not compared with a real server: none is available on this machine');
      return withRunning(
        () => startServerUnderTest(WITH_BACKGROUND),
        (ours) => runKubectl(ours),
      );
    },
  },
  'client-node': {
    skipReason: () => undefined,
    run: (options) => withRunning(createStart(options), runClientNode),
  },
  controllers: {
    skipReason: ({ release }) => reasonForNoCluster(release),
    run: ({ release, against, seconds, seed }) =>
      withRunning(
        () => (against === 'real' ? startReal(release) : startServerUnderTest(WITHOUT_BACKGROUND)),
        (target) => runControllers(target, { release, seconds, seed }),
      ),
  },
};

/** The server under test without the work of controllers, such as garbage collection. */
const WITHOUT_BACKGROUND = { background: false };
const WITH_RBAC: ServerUnderTestOptions = { background: false, authorization: 'RBAC' };
const WITH_BACKGROUND = { background: true };
const CONTROLLERS = ['namespace-controller', 'garbage-collector-controller'];

/** Returns a function that starts the target of a suite. */
const createStart =
  ({ release, against }: Options): (() => Promise<Target>) =>
  () =>
    against === 'real' ? startReal(release, CONTROLLERS) : startServerUnderTest(WITH_BACKGROUND);

async function withBoth<T>(
  { release, against }: Options,
  { background, authorization }: ServerUnderTestOptions,
  work: (real: Target, ours: Target) => Promise<T>,
): Promise<T> {
  const startRealTarget = (): Promise<Target> => startReal(release, background ? CONTROLLERS : [], authorization);
  const startTested = (): Promise<Target> => startServerUnderTest({ background, ...(authorization && { authorization }) });
  return withRunning(startRealTarget, (realTarget) =>
    withRunning(against === 'real' ? startRealTarget : startTested, (testedTarget) => work(realTarget, testedTarget)),
  );
}
