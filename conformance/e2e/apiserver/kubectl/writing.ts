import { type CommandGroup, expectFailure, kubectl, withInput, withKnownDifference } from './command.ts';

const IN_NS = '-n k-write';
const configMap = (name: string, data: object, metadata: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...metadata },
  data,
});
const serviceYaml = (port: number, label: string): string => `apiVersion: v1
kind: Service
metadata:
  name: svc
  labels: {tier: ${label}}
spec:
  selector: {app: web}
  ports:
  - {name: http, port: ${port}, targetPort: 8080}
`;
const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] },
};

export const writing: CommandGroup = {
  name: 'creating and changing',
  commands: [
    kubectl('create namespace k-write', 'namespace/k-write created'),
    kubectl(`create configmap one ${IN_NS} --from-literal=a=1 --from-literal=b=2`, 'configmap/one created'),
    expectFailure(kubectl(`create configmap one ${IN_NS}`, 'configmaps "one" already exists')),
    kubectl(`create secret generic s ${IN_NS} --from-literal=k=v`, 'secret/s created'),
    kubectl(`create serviceaccount sa ${IN_NS}`, 'serviceaccount/sa created'),
    kubectl(`create service clusterip cip ${IN_NS} --tcp=80:8080`, 'service/cip created'),
    kubectl(`create service nodeport np ${IN_NS} --tcp=80 --node-port=30050`, 'service/np created'),
    kubectl(`create service externalname en ${IN_NS} --external-name=example.com`, 'service/en created'),
    expectFailure(
      kubectl(
        `create service nodeport np2 ${IN_NS} --tcp=80 --node-port=30050`,
        'spec.ports[0].nodePort: Invalid value: 30050: provided port is already allocated',
      ),
    ),
    kubectl(`run quick ${IN_NS} --image=registry.example/quick --labels=app=web --port=8080`, 'pod/quick created'),
    kubectl(`expose pod quick ${IN_NS} --port=80 --target-port=8080`, 'service/quick exposed'),
    withInput(pod, kubectl(`create -f - ${IN_NS}`, 'pod/p created')),
    withInput(configMap('dry', { a: '1' }), kubectl(`create -f - ${IN_NS} --dry-run=server -o yaml`, 'name: dry', 'uid: ')),
    expectFailure(kubectl(`get configmap dry ${IN_NS}`, '(NotFound)')),
    // kubectl requests strict field validation unless --validate says otherwise.
    withInput(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: wrong}\ndta: {a: b}\n',
      expectFailure(kubectl(`create -f - ${IN_NS}`, 'unknown field "dta"')),
    ),
    withInput(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: warned}\ndta: {a: b}\n',
      kubectl(`create -f - ${IN_NS} --validate=warn`, 'configmap/warned created', 'unknown field "dta"'),
    ),
    withInput(
      'apiVersion: v1\nkind: Nothing\nmetadata: {name: x}\n',
      expectFailure(kubectl(`create -f - ${IN_NS}`, 'no matches for kind "Nothing" in version "v1"')),
    ),
    withInput(serviceYaml(80, 'front'), kubectl(`apply -f - ${IN_NS}`, 'service/svc created')),
    withInput(serviceYaml(80, 'front'), kubectl(`apply -f - ${IN_NS}`, 'service/svc unchanged')),
    withInput(serviceYaml(81, 'back'), expectFailure(kubectl(`diff -f - ${IN_NS}`, /^-.*port: 80$/m, /^\+.*port: 81$/m))),
    withInput(serviceYaml(81, 'back'), kubectl(`apply -f - ${IN_NS}`, 'service/svc configured')),
    withInput(serviceYaml(81, 'back'), kubectl(`diff -f - ${IN_NS}`)),
    kubectl(`get service svc ${IN_NS} -o jsonpath='{.spec.ports[*].port} {.metadata.labels.tier}'`, '81 back'),
    // Server-side apply by two field managers.
    withInput(
      configMap('ssa', { a: '1' }),
      kubectl(`apply --server-side -f - ${IN_NS} --field-manager=first`, 'configmap/ssa serverside-applied'),
    ),
    withInput(
      configMap('ssa', { a: '2' }),
      expectFailure(kubectl(`apply --server-side -f - ${IN_NS} --field-manager=second`, 'conflict with "first": .data.a')),
    ),
    withInput(
      configMap('ssa', { a: '2' }),
      kubectl(`apply --server-side --force-conflicts -f - ${IN_NS} --field-manager=second`, 'configmap/ssa serverside-applied'),
    ),
    kubectl(`get configmap ssa ${IN_NS} -o jsonpath='{.data.a} {.metadata.managedFields[*].manager}' --show-managed-fields`, '2 second'),
    withInput(configMap('one', { a: '9' }), kubectl(`replace -f - ${IN_NS}`, 'configmap/one replaced')),
    withInput(configMap('absent', {}), expectFailure(kubectl(`replace -f - ${IN_NS}`, '(NotFound)'))),
    withInput(
      configMap('one', { a: 'ten' }),
      kubectl(`replace --force -f - ${IN_NS}`, 'configmap "one" deleted', 'configmap/one replaced'),
    ),
    kubectl(`patch configmap one ${IN_NS} --type=merge -p '{"data":{"m":"1"}}'`, 'configmap/one patched'),
    kubectl(`patch configmap one ${IN_NS} --type=merge -p '{"data":{"m":"1"}}'`, 'configmap/one patched (no change)'),
    kubectl(`patch configmap one ${IN_NS} --type=json -p '[{"op":"add","path":"/data/j","value":"1"}]'`, 'configmap/one patched'),
    kubectl(`patch pod p ${IN_NS} -p '{"spec":{"containers":[{"name":"app","image":"registry.example/app:2"}]}}'`, 'pod/p patched'),
    kubectl(`patch pod p ${IN_NS} --subresource=status --type=merge -p '{"status":{"phase":"Running"}}'`, 'pod/p patched'),
    expectFailure(
      kubectl(
        `patch configmap one ${IN_NS} --type=json -p '[{"op":"test","path":"/data/j","value":"2"}]'`,
        'the server rejected our request due to an error in our request',
      ),
    ),
    kubectl(`get configmap one ${IN_NS} -o jsonpath='{.data}'`, '{"a":"ten","j":"1","m":"1"}'),
    kubectl(`label configmap one ${IN_NS} a=b c=d`, 'configmap/one labeled'),
    expectFailure(kubectl(`label configmap one ${IN_NS} a=c`, "'a' already has a value (b), and --overwrite is false")),
    kubectl(`label configmap one ${IN_NS} a=c --overwrite c-`, 'configmap/one labeled'),
    kubectl(`label secrets --all ${IN_NS} all=yes`, 'secret/s labeled'),
    expectFailure(kubectl(`label configmap one ${IN_NS} 'a=not valid'`, 'a valid label must be')),
    kubectl(`annotate configmap one ${IN_NS} note=text`, 'configmap/one annotated'),
    kubectl(`annotate configmap one ${IN_NS} note-`, 'configmap/one annotated'),
    { ...kubectl(`edit configmap one ${IN_NS}`, 'configmap/one edited'), editor: 'sed -i -e s/ten/edited/' },
    { ...kubectl(`edit configmap one ${IN_NS}`, 'Edit cancelled, no changes made.'), editor: 'true' },
    kubectl(`get configmap one ${IN_NS} -o jsonpath='{.data.a} {.metadata.labels.a}'`, 'edited c'),
    kubectl(`set image pod/p app=registry.example/app:3 ${IN_NS}`, 'pod/p image updated'),
    kubectl(`set selector service svc app=other ${IN_NS}`, 'service/svc selector updated'),
    withInput(
      { apiVersion: 'v1', kind: 'List', items: [configMap('l1', {}), configMap('l2', {})] },
      kubectl(`apply -f - ${IN_NS}`, 'configmap/l1 created', 'configmap/l2 created'),
    ),
    kubectl(`delete configmap l1 l2 ${IN_NS}`, 'configmap "l1" deleted', 'configmap "l2" deleted'),
    kubectl(`delete secret -l all=yes ${IN_NS}`, 'secret "s" deleted'),
    kubectl(`delete configmap one ${IN_NS} --ignore-not-found`),
    expectFailure(kubectl(`delete configmap one ${IN_NS}`, '(NotFound)')),
    kubectl(`delete service cip ${IN_NS} --cascade=orphan --wait=false`, 'service "cip" deleted'),
    kubectl(`delete pod p ${IN_NS} --grace-period=0 --force`, 'pod "p" force deleted'),
    kubectl(`delete pod quick ${IN_NS} --grace-period=1`, 'pod "quick" deleted'),
    kubectl(`delete services --all ${IN_NS}`, 'service "np" deleted', 'service "svc" deleted'),
    kubectl(`get services ${IN_NS}`, 'No resources found in k-write namespace.'),
    kubectl('delete namespace k-write --wait=false', 'namespace "k-write" deleted'),
    withKnownDifference(
      'this server deletes the namespace immediately',
      expectFailure(kubectl(`create configmap late ${IN_NS}`, /because it is being terminated|"k-write" not found/)),
    ),
  ],
};
