import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createClientNodePort, loadKubeConfig } from '@kube-endpoints/controllers/client-node';
import { type ApiObject, type ClientPort, resources } from 'kube-endpoints/port';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeFolder, writeFiles } from '../../../../test/support/temporary.ts';
import { type FakeEnvironment, run, runLine } from '../fake-io.ts';

/** Loopback addresses that only this file uses: of a node, and of load balancers. */
const nodeAddress = '127.0.91.1';
const pool = '127.0.92.0/28';

const createManifests = (spec = ''): string => `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop}
spec: {type: LoadBalancer, selector: {app: web}, ports: [{port: 7080, targetPort: 8080}]${spec}}
---
apiVersion: v1
kind: Node
metadata: {name: node-1}
spec: {providerID: "machine://node-1"}
status: {addresses: [{type: InternalIP, address: ${nodeAddress}}], conditions: [{type: Ready, status: "True"}]}
---
apiVersion: v1
kind: Pod
metadata: {name: web-1, namespace: shop, labels: {app: web}}
spec: {nodeName: node-1, containers: [{name: web, image: "web:1"}]}
status: {phase: Running, podIP: 10.0.0.7, podIPs: [{ip: 10.0.0.7}], conditions: [{type: Ready, status: "True"}]}
`;
const allControllers = 'run --controllers endpoints,endpointslices,service-lb';
const folder = makeFolder();
/** Never stopped by a signal, so the command has to end by itself. */
const environment: FakeEnvironment = { files: { 'shop.yaml': createManifests() }, untilStopped: () => new Promise(() => undefined) };
const serviceKey = { namespace: 'shop', name: 'web' };

interface LoadBalancerService {
  readonly spec: { readonly ports: readonly { readonly nodePort: number }[] };
  readonly status?: { readonly loadBalancer?: { readonly ingress?: readonly { readonly ip: string }[] } };
}

describe('run with the cloud tcp', () => {
  const kubeconfig = join(folder, 'kubeconfig');
  let backend: Server | undefined;
  afterAll(() => backend?.close());

  test('forwards TCP from the load balancer address to the node port until the Service is deleted', async () => {
    const answers: string[] = [];
    const untilStopped = async (): Promise<void> => {
      const { kubeConfig } = await loadKubeConfig({ kubeconfig });
      const port = createClientNodePort(kubeConfig);
      const { spec, ip } = await pollUntilServed(port);
      backend = await startBackend(nodeAddress, spec.ports[0]?.nodePort ?? 0);
      answers.push(ip, await sendAndReceive(ip, 7080, 'hello'));
      await port.delete(resources.services, serviceKey);
      while ((await port.list(resources.services, { namespace: 'shop' })).items.length > 0);
      answers.push(await sendAndReceive(ip, 7080, 'hello').catch(({ code }: { code: string }) => code));
      port.close();
    };
    const flags = `-f shop.yaml --port 0 --kubeconfig-out ${kubeconfig} --cloud tcp --cloud-addresses ${pool}`;
    const { code, stderr } = await runLine(`${allControllers} ${flags}`, { ...environment, untilStopped });
    expect(code, stderr).toBe(0);
    expect(answers).toEqual(['127.0.92.1', 'backend says: hello', 'ECONNREFUSED']);
    const messages = stderr
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { msg: string }).msg);
    expect(messages).toEqual(expect.arrayContaining(['load balancer is listening', 'load balancer deleted', 'stopped']));
  });
});

describe('run --once', () => {
  test('prints load balancer addresses with the writes of the other controllers', async () => {
    const { code, stdout, stderr } = await runLine(
      `${allControllers} -f shop.yaml --once --cloud memory --cloud-addresses 10.9.0.0/24`,
      environment,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^shop +services\/web +updated +load balancer at 10\.9\.0\.1$/m);
    expect(stdout).toMatch(/\n2 created, 1 updated, 0 deleted\.\n$/);
  });

  test('prints planned load balancers with --dry-run and creates none', async () => {
    const { code, stdout, stderr } = await runLine(
      `run --controllers service-lb -f shop.yaml --once --dry-run --cloud memory`,
      environment,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^shop +services\/web +updated \(dry run\) +load balancer to be created$/m);
    expect(stdout).toContain('Dry run, nothing was written; planned: 0 created, 1 updated, 0 deleted.');
  });

  test('reports a load balancer that cannot be created, and ends', async () => {
    const files = { 'shop.yaml': createManifests(', loadBalancerIP: 10.9.0.7') };
    const { code, stdout, stderr } = await runLine(`${allControllers} -f shop.yaml --once --cloud tcp --cloud-addresses ${pool}`, {
      ...environment,
      files,
    });
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: service-lb of shop\/web: .*10\.9\.0\.7.*\n$/);
    expect(stdout).toMatch(/^shop +services\/web +updated +no load balancer$/m);
    expect(stdout).toContain('endpoints/web');
  });
});

describe('a cloud from a module', () => {
  const cloud = join(folder, 'cloud.mjs');
  beforeAll(() =>
    writeFiles(folder, {
      'cloud.mjs': `export function createCloud({ clusterName }) {
        const statuses = new Map();
        const status = (name) => ({ ingress: [{ hostname: name }] });
        return {
          name: 'mine',
          balancers: {
            get: async ({ service }) => statuses.get(service.metadata.uid),
            ensure: async ({ service }) => {
              statuses.set(service.metadata.uid, status(service.metadata.name + '.' + clusterName + '.example'));
              return statuses.get(service.metadata.uid);
            },
            update: async () => undefined,
            delete: async ({ service }) => void statuses.delete(service.metadata.uid),
          },
        };
      }`,
      'name-only.mjs': `export const createCloud = () => ({ name: 'name-only' });`,
    }),
  );

  test('provides load balancers', async () => {
    const { code, stdout, stderr } = await runLine(
      `${allControllers} -f shop.yaml --once --cloud ${cloud} --cluster-name blue`,
      environment,
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/services\/web +updated +load balancer at web\.blue\.example$/m);
  });

  test('without load balancers causes an error that does not stop the other controllers', async () => {
    const nameOnly = join(folder, 'name-only.mjs');
    const { code, stdout, stderr } = await runLine(`${allControllers} -f shop.yaml --once --cloud ${nameOnly}`, environment);
    expect(code).toBe(2);
    expect(stderr).toMatch(/^error: service-lb: cloud is "name-only", which has no load balancers: give another one.*\n$/);
    expect(stdout).toContain('2 created, 0 updated, 0 deleted.');
    const serviceLbOnly = await runLine(`run --controllers service-lb -f shop.yaml --once --cloud ${nameOnly}`, environment);
    expect(serviceLbOnly).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: cloud is "name-only", which has no/),
    });
  });
});

describe('run --once with a failing cloud', () => {
  const finalizers = 'finalizers: [service.kubernetes.io/load-balancer-cleanup]';
  const manifestsOfAnotherClass = createManifests(', loadBalancerClass: example.com/x').replace(
    'namespace: shop}',
    `namespace: shop, ${finalizers}}`,
  );

  test.each([
    [
      'if listing returns invalid references',
      'list: () => [{ name: "x" }]',
      createManifests(),
      /^error: service-lb: load balancers without a Service could not be listed: list: the cloud must return an array of references/m,
    ],
    [
      'if deleting a load balancer without a Service fails',
      `list: async () => [{ namespace: 'shop', name: 'gone', uid: 'u-gone' }], delete: async () => { throw new Error('https://me:s3cret@lb is away'); }`,
      createManifests(),
      /^error: service-lb: the load balancer of shop\/gone, which has no Service, could not be deleted: https:\/\/…@lb is away$/m,
    ],
    [
      'if looking up a Service of another class fails',
      `get: async () => { throw new AggregateError([new Error('get broke')], ''); }`,
      manifestsOfAnotherClass,
      /^error: service-lb of shop\/web: get broke$/m,
    ],
    [
      'if ensuring a load balancer rejects with an empty object',
      'ensure: () => Promise.reject(Object.create(null))',
      createManifests(),
      /^error: service-lb of shop\/web: failed to ensure load balancer: \{\}$/m,
    ],
  ])('reports the failure in one line and ends: %s', async (description, functions, text, message) => {
    const file = `${description.replaceAll(' ', '-')}.mjs`;
    const status = `async () => ({ ingress: [{ ip: '10.9.9.9' }] })`;
    const allFunctions = `get: async () => undefined, ensure: ${status}, update: async () => undefined, delete: async () => undefined, ${functions}`;
    writeFiles(folder, { [file]: `export const createCloud = () => ({ name: 'failing', balancers: { ${allFunctions} } });` });
    const flags = `-f shop.yaml --once --cloud ${join(folder, file)}`;
    const { code, stderr } = await runLine(`run --controllers service-lb ${flags}`, { ...environment, files: { 'shop.yaml': text } });
    expect(stderr).toMatch(message);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(stderr).not.toContain('s3cret');
    expect(code).toBe(2);
  });

  test.each(['1.17', '1.25'])('reports a failed node sync of Kubernetes %s, which only the next node sync would retry', async (release) => {
    const file = `nodes-${release}.mjs`;
    const failing = `Object.assign(new Error('https://me:s3cret@lb is busy'), { name: 'CloudError', code: 'Failed' })`;
    // The initial node sync of the release waits for the sync under way.
    const ensure = `async () => { await new Promise(setImmediate); return { ingress: [{ ip: '10.9.9.9' }] }; }`;
    const allFunctions = `get: async () => ({}), ensure: ${ensure}, update: async () => { throw ${failing}; }, delete: async () => undefined`;
    writeFiles(folder, { [file]: `export const createCloud = () => ({ name: 'failing', balancers: { ${allFunctions} } });` });
    const flags = `--release ${release} -f shop.yaml --once --cloud ${join(folder, file)}`;
    const { code, stdout, stderr } = await runLine(`run --controllers service-lb ${flags}`, environment);
    expect(stderr).toBe(
      'error: service-lb of shop/web: the nodes of its load balancer could not be brought up to date: https://…@lb is busy\n',
    );
    expect(stdout).toMatch(/services\/web +updated +load balancer at 10\.9\.9\.9$/m);
    expect(code).toBe(2);
  });
});

test.each([
  [
    '--controllers service-lb',
    /^error: the controller service-lb needs a cloud: give --cloud memory, --cloud tcp, or --cloud \.\/MODULE\n$/,
  ],
  ['--cloud tcp', /^error: --cloud needs the controller service-lb/],
  ['--controllers service-lb --cloud aws', /^error: .*give memory, tcp, or the path of a module that begins with/],
  ['--controllers service-lb --cloud ./no/such.js', /^error: --cloud \.\/no\/such\.js cannot be loaded: /],
  [
    '--controllers service-lb --cloud tcp --cloud-addresses 127.0.0.0/8',
    /^error: --cloud-addresses: 127\.0\.0\.0\/8 cannot be used as an address pool: give an IPv4 range/,
  ],
])('run reports an error in one line: %s', async (flags, message) => {
  const { code, stdout, stderr } = await run(['run', '--once', '-f', 'shop.yaml', ...flags.split(' ')], environment);
  expect(stderr).toMatch(message);
  expect(stderr.trim().split('\n')).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
});

/** Returns the Service once its load balancer has an address. */
async function pollUntilServed(port: ClientPort): Promise<LoadBalancerService & { readonly ip: string }> {
  for (;;) {
    const service = (await port.get(resources.services, serviceKey)) as ApiObject & LoadBalancerService;
    const ip = service.status?.loadBalancer?.ingress?.[0]?.ip;
    if (ip !== undefined) return { ...service, ip };
  }
}

/** Starts a server that answers with "backend says: " and its input. */
const startBackend = (host: string, port: number): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer(
      (socket) => void socket.on('error', () => undefined).on('data', (data) => socket.end(`backend says: ${data}`)),
    );
    server.on('error', reject).listen(port, host, () => resolve(server));
  });

const sendAndReceive = (host: string, port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let received = '';
    const socket = connect({ host, port }, () => socket.write(text));
    socket.on('data', (data) => {
      received += data;
    });
    socket.on('error', reject).on('close', () => resolve(received));
  });
