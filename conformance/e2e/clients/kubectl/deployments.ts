import { join } from 'node:path';
import { type CommandGroup, expectFailure, kubectl, withInput, withKnownDifference } from '../../apiserver/kubectl/command.ts';

const IN_NS = '-n k-work';
const KUSTOMIZE = join(import.meta.dirname, '..', 'kustomize');
const rolledOut = 'deployment "web" successfully rolled out';
const manifest = (replicas: number, tier: string): string => `apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
  labels: {tier: ${tier}}
spec:
  replicas: ${replicas}
  selector: {matchLabels: {app: api}}
  template:
    metadata: {labels: {app: api}}
    spec:
      containers:
      - name: api
        image: registry.example/api:1
`;

/** A Deployment from its creation to its deletion, and what belongs to it. */
export const deployments: CommandGroup = {
  name: 'deployments',
  commands: [
    kubectl('create namespace k-work', 'namespace/k-work created'),
    kubectl(`create deployment web ${IN_NS} --image=registry.example/web:1 --replicas=2 --port=8080`, 'deployment.apps/web created'),
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    kubectl(`get deployments ${IN_NS}`, /NAME\s+READY\s+UP-TO-DATE\s+AVAILABLE\s+AGE\nweb\s+2\/2\s+2\s+2/),
    kubectl(`get deployment web ${IN_NS} -o wide`, /CONTAINERS\s+IMAGES\s+SELECTOR\n.*registry\.example\/web:1\s+app=web/),
    kubectl(`get deployment web ${IN_NS} -o yaml`, 'readyReplicas: 2', 'maxSurge: 25%', 'reason: MinimumReplicasAvailable'),
    kubectl(`get replicasets ${IN_NS}`, /DESIRED\s+CURRENT\s+READY\s+AGE\nweb-[0-9a-z]+\s+2\s+2\s+2/),
    kubectl(`get pods ${IN_NS} -l app=web -o custom-columns=PHASE:.status.phase,NODE:.spec.nodeName --sort-by=.spec.nodeName`, 'Running'),
    kubectl(`wait deployment/web ${IN_NS} --for=condition=Available --timeout=60s`, 'deployment.apps/web condition met'),
    kubectl(`expose deployment web ${IN_NS} --port=80 --target-port=8080`, 'service/web exposed'),
    kubectl(`wait service/web ${IN_NS} --for=create --timeout=60s`, 'service/web condition met'),
    kubectl(`scale deployment web ${IN_NS} --replicas=3`, 'deployment.apps/web scaled'),
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    expectFailure(kubectl(`scale deployment web ${IN_NS} --current-replicas=9 --replicas=1`, 'Expected replicas to be 9, was 3')),
    kubectl(`set image deployment/web web=registry.example/web:2 ${IN_NS}`, 'deployment.apps/web image updated'),
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    kubectl(`annotate deployment web ${IN_NS} kubernetes.io/change-cause=second`, 'deployment.apps/web annotated'),
    kubectl(`rollout history deployment/web ${IN_NS}`, /^1\s+/m, /^2\s+/m),
    kubectl(`rollout history deployment/web ${IN_NS} --revision=2`, 'registry.example/web:2'),
    kubectl(`rollout undo deployment/web ${IN_NS}`, 'deployment.apps/web rolled back'),
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    kubectl(`get deployment web ${IN_NS} -o jsonpath='{.spec.template.spec.containers[0].image}'`, 'registry.example/web:1'),
    kubectl(`rollout pause deployment/web ${IN_NS}`, 'deployment.apps/web paused'),
    kubectl(`set env deployment/web A=b C=d ${IN_NS}`, 'deployment.apps/web env updated'),
    kubectl(`set env deployment/web ${IN_NS} --list`, 'A=b'),
    kubectl(`set resources deployment/web ${IN_NS} --limits=cpu=200m,memory=64Mi`, 'deployment.apps/web resource requirements updated'),
    expectFailure(kubectl(`rollout restart deployment/web ${IN_NS}`, "can't restart paused deployment")),
    kubectl(`rollout resume deployment/web ${IN_NS}`, 'deployment.apps/web resumed'),
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    kubectl(`rollout restart deployment/web ${IN_NS}`, 'deployment.apps/web restarted'),
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    kubectl(
      `set serviceaccount deployment/web other ${IN_NS} --dry-run=server -o jsonpath='{.spec.template.spec.serviceAccountName}'`,
      'other',
    ),
    kubectl(`autoscale deployment web ${IN_NS} --min=2 --max=5 --cpu=80%`, 'horizontalpodautoscaler.autoscaling/web autoscaled'),
    kubectl(`get hpa web ${IN_NS}`, /web\s+Deployment\/web\s+cpu: <unknown>\/80%\s+2\s+5/),
    kubectl(`delete hpa web ${IN_NS}`, 'horizontalpodautoscaler.autoscaling "web" deleted'),
    // The three types of patches, an editor, and replacement.
    kubectl(
      `patch deployment web ${IN_NS} -p '{"spec":{"template":{"spec":{"containers":[{"name":"side","image":"registry.example/side:1"}]}}}}'`,
      'deployment.apps/web patched',
    ),
    kubectl(`get deployment web ${IN_NS} -o jsonpath='{.spec.template.spec.containers[*].name}'`, 'side web'),
    kubectl(
      `patch deployment web ${IN_NS} --type=json -p '[{"op":"remove","path":"/spec/template/spec/containers/0"}]'`,
      'deployment.apps/web patched',
    ),
    kubectl(`patch deployment web ${IN_NS} --type=merge -p '{"spec":{"minReadySeconds":1}}'`, 'deployment.apps/web patched'),
    kubectl(`patch deployment web ${IN_NS} --subresource=scale --type=merge -p '{"spec":{"replicas":2}}'`, 'patched'),
    {
      ...kubectl(`edit deployment web ${IN_NS}`, 'deployment.apps/web edited'),
      editor: 'sed -i -e s/minReadySeconds:.1/minReadySeconds:\\ 0/',
    },
    kubectl(`rollout status deployment/web ${IN_NS} --timeout=60s`, rolledOut),
    kubectl(`label deployment web ${IN_NS} team=blue`, 'deployment.apps/web labeled'),
    kubectl(`get deployments ${IN_NS} -l team=blue -o name`, 'deployment.apps/web'),
    withInput(manifest(1, 'back'), kubectl(`apply -f - ${IN_NS}`, 'deployment.apps/api created')),
    withInput(manifest(2, 'back'), expectFailure(kubectl(`diff -f - ${IN_NS}`, /^-.*replicas: 1$/m, /^\+.*replicas: 2$/m))),
    withInput(manifest(2, 'back'), kubectl(`apply -f - ${IN_NS}`, 'deployment.apps/api configured')),
    withInput(manifest(2, 'front'), kubectl(`replace --force -f - ${IN_NS}`, 'deployment.apps/api replaced')),
    withInput(
      manifest(2, 'front').replace('matchLabels: {app: api}', 'matchLabels: {app: other}'),
      expectFailure(kubectl(`apply -f - ${IN_NS}`, 'spec.template.metadata.labels: Invalid value', 'field is immutable')),
    ),
    expectFailure(kubectl(`create deployment web ${IN_NS} --image=x`, 'deployments.apps "web" already exists')),
    expectFailure(kubectl(`create deployment Web ${IN_NS} --image=x`, 'metadata.name: Invalid value: "Web"')),
    withKnownDifference(
      'the ReplicaSet and the pods of the replaced Deployment are deleted in the background',
      kubectl(`get all ${IN_NS} -l app=api -o custom-columns=KIND:.kind --no-headers`, 'ReplicaSet'),
    ),
    // Deletion with the three cascades.
    kubectl(`delete deployment api ${IN_NS} --cascade=orphan`, 'deployment.apps "api" deleted'),
    kubectl(`get replicasets ${IN_NS} -l app=api -o jsonpath='{.items[*].metadata.ownerReferences}{.items[*].spec.replicas}'`, /^2$/m),
    kubectl(`delete replicasets ${IN_NS} -l app=api --cascade=foreground`, /replicaset\.apps "api-[0-9a-z]+" deleted/),
    kubectl(`get pods ${IN_NS} -l app=api`, 'No resources found in k-work namespace.'),
    kubectl(`delete deployment,service web ${IN_NS}`, 'deployment.apps "web" deleted', 'service "web" deleted'),
    kubectl(`wait pods ${IN_NS} -l app=web --for=delete --timeout=60s`),
    // A directory with a kustomization.
    kubectl('create namespace k-kustomize', 'created'),
    expectFailure(kubectl(`diff -k ${KUSTOMIZE}`, '+kind: Deployment')),
    kubectl(
      `apply -k ${KUSTOMIZE}`,
      /configmap\/shop-settings-[0-9a-z]+ created/,
      'service/shop-front created',
      'deployment.apps/shop-front created',
    ),
    kubectl('rollout status deployment/shop-front -n k-kustomize --timeout=60s', 'successfully rolled out'),
    kubectl(`diff -k ${KUSTOMIZE}`),
    kubectl(`apply -k ${KUSTOMIZE} --server-side --force-conflicts`, 'deployment.apps/shop-front serverside-applied'),
    kubectl(`delete -k ${KUSTOMIZE}`, 'deployment.apps "shop-front" deleted'),
    kubectl('delete namespace k-work k-kustomize --wait=false', 'namespace "k-work" deleted'),
  ],
};
