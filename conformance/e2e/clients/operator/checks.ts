import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '../../../../test/support/free-port.ts';
import type { Check } from '../../apiserver/client-node/check.ts';
import { type Target, writeKubeconfig } from '../../apiserver/target/target.ts';
import { type Kubectl, type Program, startProgram } from '../programs.ts';

const IN_NS = '-n project-system';
const WEBHOOKS = 'validatingwebhookconfiguration/project-validating-webhook-configuration';

/**
 * Installs the generated operator in `dir` with its own manifests, runs it as its service account, and uses its custom resources.
 * `workDir` is a folder for credentials. The checks run in this order.
 */
export function createOperatorChecks(target: Target, kubectl: Kubectl, dir: string, workDir: string): readonly Check[] {
  const project = join(dir, 'project');
  const manifests = `-k ${join(project, 'config', 'default')}`;
  let operator: Program | undefined;
  return [
    { title: 'the manifests of the operator are applied', run: () => install(kubectl, manifests) },
    {
      title: 'the operator starts with the token of its service account, and serves its webhook',
      async run() {
        const port = await findFreePort();
        const { certificates, caBundle } = createCertificates(workDir);
        operator = await startOperator(target, kubectl, { dir, workDir, certificates, port });
        const url = `https://127.0.0.1:${port}/validate-example-com-testproject-org-v1alpha1-memcached`;
        await patchWebhook(kubectl, '', { url, caBundle });
      },
    },
    ...createCustomResourceChecks(kubectl, { workDir, project, printed: (text) => operator?.printed(text) ?? assert.fail('no operator') }),
    {
      title: "the operator's own tests pass",
      async run() {
        await operator?.stop();
        await kubectl(`delete ${WEBHOOKS}`);
        for (const [name, folder] of Object.entries({ controller: 'internal/controller', webhook: 'internal/webhook/v1alpha1' })) {
          const env = { USE_EXISTING_CLUSTER: 'true', KUBECONFIG: target.kubeconfig };
          await startProgram(join(dir, `${name}.test`), [], { env, cwd: join(project, folder) }).printed('SUCCESS!');
        }
      },
    },
    {
      title: 'the manifests of the operator are deleted',
      async run() {
        await removeFinalizers(kubectl);
        await kubectl(`delete ${manifests} --ignore-not-found --timeout=50s`);
      },
    },
  ];
}

/** The operator's own tests delete custom resources whose finalizer only a running operator removes. */
async function removeFinalizers(kubectl: Kubectl): Promise<void> {
  const format = '{range .items[*]}{.kind}/{.metadata.name} -n {.metadata.namespace}{"\\n"}{end}';
  const remaining = await kubectl(`get busyboxes,memcacheds -A -o jsonpath='${format}'`);
  for (const line of remaining.split('\n').filter((each) => each !== ''))
    await kubectl(`patch ${line} --type=merge -p '{"metadata":{"finalizers":null}}'`);
}

async function install(kubectl: Kubectl, manifests: string): Promise<void> {
  const established = 'wait crd --all --for=condition=Established --timeout=30s';
  // cert-manager, which the manifests use, is only a definition here; this program issues the certificate.
  for (const kind of ['Certificate', 'Issuer']) await kubectl('apply -f -', createDefinition(kind));
  await kubectl(established);
  await kubectl(`apply ${manifests}`);
  await kubectl(established);
  await kubectl(`rollout status deployment/project-controller-manager ${IN_NS} --timeout=30s`);
}

/** Replaces a field of the webhook's client configuration, or all of it if the path is empty. */
async function patchWebhook(kubectl: Kubectl, path: string, value: unknown): Promise<void> {
  const patch = [{ op: 'replace', path: `/webhooks/0/clientConfig${path}`, value }];
  await kubectl(`patch ${WEBHOOKS} --type=json -p '${JSON.stringify(patch)}'`);
}

interface CustomResourceOptions {
  readonly workDir: string;
  readonly project: string;
  /** Waits until the operator has logged a text. */
  readonly printed: (text: string) => Promise<void>;
}

function createCustomResourceChecks(kubectl: Kubectl, { workDir, project, printed }: CustomResourceOptions): readonly Check[] {
  const sample = `-f ${join(project, 'config', 'samples', 'example.com_v1alpha1_memcached.yaml')} ${IN_NS}`;
  const patchSize = (size: number): string => `patch memcached memcached-sample ${IN_NS} --type=merge -p '{"spec":{"size":${size}}}'`;
  return [
    {
      title: 'a custom resource gets a Deployment, conditions and a finalizer',
      async run() {
        await kubectl(`apply ${sample}`);
        await kubectl(`wait memcached/memcached-sample ${IN_NS} --for=condition=Available --timeout=30s`);
        await kubectl(`wait deployment/memcached-sample ${IN_NS} --for=condition=Available --timeout=30s`);
        const finalizers = await kubectl(`get memcached memcached-sample ${IN_NS} -o jsonpath='{.metadata.finalizers}'`);
        assert.equal(finalizers, '["example.com.testproject.org/finalizer"]');
      },
    },
    {
      title: 'the operator scales the Deployment, and repairs it',
      async run() {
        const scaled = `wait deployment/memcached-sample ${IN_NS} --for=jsonpath='{.status.availableReplicas}'=3 --timeout=30s`;
        await kubectl(patchSize(3));
        await kubectl(scaled);
        await kubectl(`scale deployment memcached-sample ${IN_NS} --replicas=1`);
        await kubectl(scaled);
      },
    },
    {
      title: 'the schema and the webhook reject changes of a custom resource',
      async run() {
        assert.match(await kubectl.fails(patchSize(-1)), /spec\.size/);
        await patchWebhook(kubectl, '/caBundle', '');
        assert.match(await kubectl.fails(patchSize(2)), /failed calling webhook/);
        await patchWebhook(kubectl, '/caBundle', createCertificates(workDir).caBundle);
        await kubectl(patchSize(2));
        await printed('Validation for Memcached upon update');
      },
    },
    {
      title: 'the deletion of a custom resource runs the finalizer, writes an Event, and deletes the Deployment',
      async run() {
        await kubectl(`delete ${sample} --timeout=30s`);
        await kubectl(`wait deployment/memcached-sample ${IN_NS} --for=delete --timeout=50s`);
        assert.match(await kubectl(`get events.events.k8s.io ${IN_NS}`), /Warning\s+Deleting.*is being deleted from the namespace/);
      },
    },
  ];
}

interface OperatorOptions {
  readonly dir: string;
  readonly workDir: string;
  /** The folder of the webhook's certificate. */
  readonly certificates: string;
  /** Of the webhook. */
  readonly port: number;
}

async function startOperator(target: Target, kubectl: Kubectl, { dir, workDir, certificates, port }: OperatorOptions): Promise<Program> {
  const [kubeconfig, caFile] = [join(workDir, 'kubeconfig'), join(workDir, 'ca.crt')];
  writeFileSync(caFile, target.ca);
  writeKubeconfig(kubeconfig, {
    url: target.url,
    caFile,
    token: (await kubectl(`create token project-controller-manager ${IN_NS}`)).trim(),
  });
  const operator = startProgram(
    join(dir, 'manager'),
    ['--health-probe-bind-address=0', `--webhook-cert-path=${certificates}`, `--webhook-port=${port}`],
    { env: { ...(await readEnvironment(kubectl)), KUBECONFIG: kubeconfig, WATCH_NAMESPACE: 'project-system' } },
  );
  await operator.printed('Starting workers');
  await operator.printed('Serving webhook server');
  return operator;
}

/** The environment of the operator in its Deployment, which names the images that it uses. */
async function readEnvironment(kubectl: Kubectl): Promise<NodeJS.ProcessEnv> {
  const path = '{.spec.template.spec.containers[0].env}';
  const variables = JSON.parse(await kubectl(`get deployment project-controller-manager ${IN_NS} -o jsonpath='${path}'`)) as {
    readonly name: string;
    readonly value?: string;
  }[];
  return Object.fromEntries(variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value]])));
}

/** Creates a self-signed certificate for 127.0.0.1 once. `caBundle` is Base64. */
function createCertificates(workDir: string): { readonly certificates: string; readonly caBundle: string } {
  const certificates = join(workDir, 'webhook');
  const [key, certificate] = [join(certificates, 'tls.key'), join(certificates, 'tls.crt')];
  if (mkdirSync(certificates, { recursive: true }) !== undefined) {
    const subject = ['-subj', '/CN=webhook', '-addext', 'subjectAltName=IP:127.0.0.1'];
    execFileSync(
      'openssl',
      ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, '-keyout', key, '-out', certificate],
      {
        stdio: 'ignore',
      },
    );
  }
  return { certificates, caBundle: readFileSync(certificate).toString('base64') };
}

const createDefinition = (kind: string): object => {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.cert-manager.io` },
    spec: {
      group: 'cert-manager.io',
      scope: 'Namespaced',
      names: { kind, plural },
      versions: [{ name: 'v1', served: true, storage: true, schema }],
    },
  };
};
