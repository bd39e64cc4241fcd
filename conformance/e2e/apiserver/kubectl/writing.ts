import { type Chapter, failing, k, withInput, withKnownDifference } from './command.ts';

const NS = '-n k-write';
const map = (name: string, data: object, metadata: object = {}): object => ({
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

export const writing: Chapter = {
  name: 'creating and changing',
  commands: [
    k('create namespace k-write', 'namespace/k-write created'),
    k(`create configmap one ${NS} --from-literal=a=1 --from-literal=b=2`, 'configmap/one created'),
    failing(k(`create configmap one ${NS}`, 'configmaps "one" already exists')),
    k(`create secret generic s ${NS} --from-literal=k=v`, 'secret/s created'),
    k(`create serviceaccount sa ${NS}`, 'serviceaccount/sa created'),
    k(`create service clusterip cip ${NS} --tcp=80:8080`, 'service/cip created'),
    k(`create service nodeport np ${NS} --tcp=80 --node-port=30050`, 'service/np created'),
    k(`create service externalname en ${NS} --external-name=example.com`, 'service/en created'),
    failing(
      k(
        `create service nodeport np2 ${NS} --tcp=80 --node-port=30050`,
        'spec.ports[0].nodePort: Invalid value: 30050: provided port is already allocated',
      ),
    ),
    k(`run quick ${NS} --image=registry.example/quick --labels=app=web --port=8080`, 'pod/quick created'),
    k(`expose pod quick ${NS} --port=80 --target-port=8080`, 'service/quick exposed'),
    withInput(pod, k(`create -f - ${NS}`, 'pod/p created')),
    withInput(map('dry', { a: '1' }), k(`create -f - ${NS} --dry-run=server -o yaml`, 'name: dry', 'uid: ')),
    failing(k(`get configmap dry ${NS}`, '(NotFound)')),
    withInput(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: wrong}\ndta: {a: b}\n',
      failing(k(`create -f - ${NS}`, 'unknown field "dta"')),
    ),
    withInput(
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: warned}\ndta: {a: b}\n',
      k(`create -f - ${NS} --validate=warn`, 'configmap/warned created', 'unknown field "dta"'),
    ),
    withInput(
      'apiVersion: v1\nkind: Nothing\nmetadata: {name: x}\n',
      failing(k(`create -f - ${NS}`, 'no matches for kind "Nothing" in version "v1"')),
    ),
    withInput(serviceYaml(80, 'front'), k(`apply -f - ${NS}`, 'service/svc created')),
    withInput(serviceYaml(80, 'front'), k(`apply -f - ${NS}`, 'service/svc unchanged')),
    withInput(serviceYaml(81, 'back'), failing(k(`diff -f - ${NS}`, /^-.*port: 80$/m, /^\+.*port: 81$/m))),
    withInput(serviceYaml(81, 'back'), k(`apply -f - ${NS}`, 'service/svc configured')),
    withInput(serviceYaml(81, 'back'), k(`diff -f - ${NS}`)),
    k(`get service svc ${NS} -o jsonpath='{.spec.ports[*].port} {.metadata.labels.tier}'`, '81 back'),
    withInput(map('ssa', { a: '1' }), k(`apply --server-side -f - ${NS} --field-manager=first`, 'configmap/ssa serverside-applied')),
    withInput(
      map('ssa', { a: '2' }),
      failing(k(`apply --server-side -f - ${NS} --field-manager=second`, 'conflict with "first": .data.a')),
    ),
    withInput(
      map('ssa', { a: '2' }),
      k(`apply --server-side --force-conflicts -f - ${NS} --field-manager=second`, 'configmap/ssa serverside-applied'),
    ),
    k(`get configmap ssa ${NS} -o jsonpath='{.data.a} {.metadata.managedFields[*].manager}' --show-managed-fields`, '2 second'),
    withInput(map('one', { a: '9' }), k(`replace -f - ${NS}`, 'configmap/one replaced')),
    withInput(map('absent', {}), failing(k(`replace -f - ${NS}`, '(NotFound)'))),
    withInput(map('one', { a: 'ten' }), k(`replace --force -f - ${NS}`, 'configmap "one" deleted', 'configmap/one replaced')),
    k(`patch configmap one ${NS} --type=merge -p '{"data":{"m":"1"}}'`, 'configmap/one patched'),
    k(`patch configmap one ${NS} --type=merge -p '{"data":{"m":"1"}}'`, 'configmap/one patched (no change)'),
    k(`patch configmap one ${NS} --type=json -p '[{"op":"add","path":"/data/j","value":"1"}]'`, 'configmap/one patched'),
    k(`patch pod p ${NS} -p '{"spec":{"containers":[{"name":"app","image":"registry.example/app:2"}]}}'`, 'pod/p patched'),
    k(`patch pod p ${NS} --subresource=status --type=merge -p '{"status":{"phase":"Running"}}'`, 'pod/p patched'),
    failing(
      k(
        `patch configmap one ${NS} --type=json -p '[{"op":"test","path":"/data/j","value":"2"}]'`,
        'the server rejected our request due to an error in our request',
      ),
    ),
    k(`get configmap one ${NS} -o jsonpath='{.data}'`, '{"a":"ten","j":"1","m":"1"}'),
    k(`label configmap one ${NS} a=b c=d`, 'configmap/one labeled'),
    failing(k(`label configmap one ${NS} a=c`, "'a' already has a value (b), and --overwrite is false")),
    k(`label configmap one ${NS} a=c --overwrite c-`, 'configmap/one labeled'),
    k(`label configmaps --all ${NS} all=yes`, 'configmap/ssa labeled'),
    failing(k(`label configmap one ${NS} 'a=not valid'`, 'a valid label must be')),
    k(`annotate configmap one ${NS} note=text`, 'configmap/one annotated'),
    k(`annotate configmap one ${NS} note-`, 'configmap/one annotated'),
    { ...k(`edit configmap one ${NS}`, 'configmap/one edited'), editor: 'sed -i -e s/ten/edited/' },
    { ...k(`edit configmap one ${NS}`, 'Edit cancelled, no changes made.'), editor: 'true' },
    k(`get configmap one ${NS} -o jsonpath='{.data.a} {.metadata.labels.a}'`, 'edited c'),
    k(`set image pod/p app=registry.example/app:3 ${NS}`, 'pod/p image updated'),
    k(`set selector service svc app=other ${NS}`, 'service/svc selector updated'),
    withInput(
      { apiVersion: 'v1', kind: 'List', items: [map('l1', {}), map('l2', {})] },
      k(`apply -f - ${NS}`, 'configmap/l1 created', 'configmap/l2 created'),
    ),
    k(`delete configmap l1 l2 ${NS}`, 'configmap "l1" deleted', 'configmap "l2" deleted'),
    k(`delete configmap -l all=yes ${NS}`, 'configmap "ssa" deleted'),
    k(`delete configmap one ${NS} --ignore-not-found`),
    failing(k(`delete configmap one ${NS}`, '(NotFound)')),
    k(`delete service cip ${NS} --cascade=orphan --wait=false`, 'service "cip" deleted'),
    k(`delete pod p ${NS} --grace-period=0 --force`, 'pod "p" force deleted'),
    k(`delete pod quick ${NS} --grace-period=1`, 'pod "quick" deleted'),
    k(`delete services --all ${NS}`, 'service "np" deleted', 'service "svc" deleted'),
    k(`get services ${NS}`, 'No resources found in k-write namespace.'),
    k('delete namespace k-write --wait=false', 'namespace "k-write" deleted'),
    withKnownDifference(
      'the namespace is gone at once',
      failing(k(`create configmap late ${NS}`, /because it is being terminated|"k-write" not found/)),
    ),
  ],
};
