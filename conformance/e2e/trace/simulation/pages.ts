import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkDrain, checkRollout, type RolloutCheck } from '@kube-endpoints/simulator';
import { adversaries, checkScenario, completeWorld, createBoundChoice, createRolloutScenario } from '@kube-endpoints/simulator/internal';
import type { ApiObject } from 'kube-endpoints/port';
import { parseAllDocuments } from 'yaml';
import { renderPage } from '../../../../packages/cli/src/page/page.ts';
import { runCommand } from '../command.ts';

/** A check, and the page that shows it. */
export interface RenderedCheck {
  readonly check: RolloutCheck;
  readonly page: string;
  /** The same page, rendered once more. */
  readonly again: string;
}

const folder = join('examples', 'rollout');
const root = join(import.meta.dirname, '..', '..', '..', '..');
const read = (name: string): ApiObject[] =>
  parseAllDocuments(readFileSync(join(root, folder, name), 'utf8')).map((document) => document.toJS() as ApiObject);

/** The simulations to test, by name. */
export const simulations: Readonly<Record<string, () => RenderedCheck>> = {
  deployment: () =>
    renderByCommand(checkRollout({ objects: read('web.yaml'), change: read('new.yaml'), seeds: 0 }), [
      ...['rollout', '-f', join(folder, 'web.yaml'), '--change', join(folder, 'new.yaml'), '--seeds', '0'],
    ]),
  drain: () =>
    renderByCommand(checkDrain({ objects: read('web.yaml'), nodes: ['n1'], seeds: 1, searchesFix: false }), [
      ...['drain', '-f', join(folder, 'web.yaml'), '--node', 'n1', '--seeds', '1', '--no-fix'],
    ]),
  network: () => render(checkRollout({ ...allKinds, seeds: 1, searchesFix: false })),
  safe: () => render(checkRollout({ objects: read('web.yaml'), change: read('web.yaml'), seeds: 0 })),
  'hostile names': () => render(withHostileNames(checkRollout({ ...allKinds, seeds: 0, searchesFix: false }))),
};

function renderByCommand(check: RolloutCheck, args: readonly string[]): RenderedCheck {
  const page = runCommand(...args, '-o', 'html');
  return { check, page, again: runCommand(...args, '-o', 'html') };
}

export const hostileName = '</script><script>alert(1)</script><img src=x onerror=alert(2)>"\'&\u202e';

function render(check: RolloutCheck): RenderedCheck {
  const options = { kind: 'Simulated rollout', subject: `Deployment ${hostileName}`, source: [`${hostileName}.yaml`] };
  return { check, page: renderPage(check, options), again: renderPage(check, options) };
}

const service = (name: string, spec: object): ApiObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'shop', name },
  spec: { selector: { app: 'web' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }], ...spec },
});

/** A headless Service, a load balancer and an ingress proxy besides the Service of the example. */
const allKinds = {
  objects: [
    ...read('web.yaml'),
    service('headless', { clusterIP: 'None' }),
    service('balanced', { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }),
  ],
  change: read('new.yaml'),
  network: { ingresses: [{ name: `nginx ${hostileName}`, services: ['shop/web'] }] },
};

/** Replaces the names of pods, nodes and Services, and the messages of Events, which the API server would not accept. */
function withHostileNames(check: RolloutCheck): RolloutCheck {
  const name = JSON.stringify(hostileName).slice(1, -1);
  return JSON.parse(
    JSON.stringify(check)
      .replaceAll('web-', `${name}-`)
      .replaceAll(/\bn1\b/g, `n1${name}`)
      .replaceAll('Stopping container', name)
      .replaceAll('shop/web', `shop/web${name}`),
  ) as RolloutCheck;
}

/** The page of one run, in which no smaller cluster stands for the whole one. @param pods the number of replicas @param nodes the number of nodes */
export function renderBigWorld(pods: number, nodes: number): string {
  const resize = (object: ApiObject): ApiObject =>
    object.kind === 'Deployment' ? { ...object, spec: { ...(object['spec'] as object), replicas: pods, strategy: {} } } : object;
  const allNodes = Array.from(
    { length: nodes },
    (_, i): ApiObject => ({ apiVersion: 'v1', kind: 'Node', metadata: { name: `n${i + 1}` } }),
  );
  const objects = [...allNodes, ...allKinds.objects.map(resize)];
  const world = completeWorld({ objects, change: allKinds.change.map(resize) });
  const [{ name, isEarly }] = adversaries as readonly [(typeof adversaries)[number]];
  const plans = [{ name, choose: () => createBoundChoice(isEarly) }];
  return render(checkScenario({ ...createRolloutScenario(world), network: allKinds.network }, plans)).page;
}
