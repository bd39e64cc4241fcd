import { type CommandGroup, expectFailure, kubectl, withInput, withKnownDifference } from '../../apiserver/kubectl/command.ts';

const IN_NS = '-n k-loads';
const RANDOM_NODES = 'each scheduler chooses the nodes of the pods';
const NO_CONTAINERS = 'the nodes have no containers, and the error names their address';
const template = (app: string): object => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: app, image: `registry.example/${app}:1` }] },
});
const statefulSet = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'db' },
  spec: { serviceName: 'db', replicas: 2, selector: { matchLabels: { app: 'db' } }, template: template('db') },
};
const daemonSet = {
  apiVersion: 'apps/v1',
  kind: 'DaemonSet',
  metadata: { name: 'agent' },
  spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent') },
};

/** StatefulSets, Jobs, CronJobs, budgets and bare pods, with what needs containers, and the maintenance of a node. */
export const workloads: CommandGroup = {
  name: 'other workloads, nodes',
  commands: [
    kubectl('create namespace k-loads', 'created'),
    withInput(statefulSet, kubectl(`apply -f - ${IN_NS}`, 'statefulset.apps/db created')),
    kubectl(`rollout status statefulset/db ${IN_NS} --timeout=60s`, /complete|rolling update/),
    kubectl(`get statefulsets ${IN_NS}`, /db\s+2\/2/),
    kubectl(`get pods ${IN_NS} -l app=db -o name`, 'pod/db-0\npod/db-1'),
    kubectl(`scale statefulset db ${IN_NS} --replicas=1`, 'statefulset.apps/db scaled'),
    kubectl(`wait pod/db-1 ${IN_NS} --for=delete --timeout=60s`),
    kubectl(`delete statefulset db ${IN_NS}`, 'statefulset.apps "db" deleted'),
    withInput(daemonSet, kubectl(`create -f - ${IN_NS} --dry-run=server`, 'daemonset.apps/agent created (server dry run)')),
    kubectl(`create job hello ${IN_NS} --image=registry.example/hello -- echo hi`, 'job.batch/hello created'),
    kubectl(`wait job/hello ${IN_NS} --for=condition=complete --timeout=60s`, 'job.batch/hello condition met'),
    kubectl(`get jobs ${IN_NS}`, /hello\s+Complete\s+1\/1/),
    kubectl(`create cronjob tick ${IN_NS} --image=registry.example/tick '--schedule=0 0 1 1 *'`, 'cronjob.batch/tick created'),
    kubectl(`get cronjobs ${IN_NS}`, /tick\s+0 0 1 1 \*\s+<none>\s+False\s+0\s+<none>/),
    kubectl(`create job manual ${IN_NS} --from=cronjob/tick`, 'job.batch/manual created'),
    kubectl(`wait job/manual ${IN_NS} --for=condition=complete --timeout=60s`, 'condition met'),
    kubectl(`patch cronjob tick ${IN_NS} -p '{"spec":{"suspend":true}}'`, 'cronjob.batch/tick patched'),
    expectFailure(kubectl(`create cronjob bad ${IN_NS} --image=x --schedule=often`, 'spec.schedule: Invalid value: "often"')),
    kubectl(`delete job hello manual ${IN_NS}`, 'job.batch "hello" deleted'),
    kubectl(`delete cronjob tick ${IN_NS}`, 'cronjob.batch "tick" deleted'),
    // A bare pod, and what only a kubelet can answer.
    kubectl(`run bare ${IN_NS} --image=registry.example/bare --labels=app=bare`, 'pod/bare created'),
    kubectl(`wait pod/bare ${IN_NS} --for=condition=Ready --timeout=60s`, 'pod/bare condition met'),
    withKnownDifference(NO_CONTAINERS, expectFailure(kubectl(`logs bare ${IN_NS}`, /^Error from server/m))),
    withKnownDifference(NO_CONTAINERS, expectFailure(kubectl(`exec bare ${IN_NS} -- true`, /^[Ee]rror/m))),
    withKnownDifference(NO_CONTAINERS, expectFailure(kubectl(`attach bare ${IN_NS}`, /^[Ee]rror/m))),
    withKnownDifference(NO_CONTAINERS, expectFailure(kubectl(`port-forward pod/bare ${IN_NS} 18080:80`, /^[Ee]rror/m))),
    withKnownDifference(NO_CONTAINERS, expectFailure(kubectl(`cp ${IN_NS} bare:/etc/hostname /tmp/unused`, /[Ee]rror/))),
    expectFailure(kubectl('top nodes', 'error: Metrics API not available')),
    expectFailure(kubectl(`top pods ${IN_NS}`, 'error: Metrics API not available')),
    expectFailure(kubectl(`debug bare ${IN_NS} --image=x --target=absent`, 'targetContainerName: Not found: "absent"')),
    kubectl(`create poddisruptionbudget guard ${IN_NS} --selector=app=bare --min-available=1`, 'poddisruptionbudget.policy/guard created'),
    kubectl(`wait pdb/guard ${IN_NS} --for=jsonpath='{.status.currentHealthy}'=1 --timeout=60s`, 'condition met'),
    kubectl(`get pdb ${IN_NS}`, /guard\s+1\s+N\/A\s+0/),
    kubectl('cordon fake-1 fake-2', 'node/fake-1 cordoned'),
    withKnownDifference(
      RANDOM_NODES,
      expectFailure(
        kubectl(
          'drain fake-1 fake-2 --force --ignore-daemonsets --timeout=1s',
          "Cannot evict pod as it would violate the pod's disruption budget.",
        ),
      ),
    ),
    kubectl(`delete pdb guard ${IN_NS}`, 'poddisruptionbudget.policy "guard" deleted'),
    withKnownDifference(
      RANDOM_NODES,
      kubectl('drain fake-1 fake-2 --force --ignore-daemonsets --timeout=60s', 'evicting pod k-loads/bare', 'node/fake-1 drained'),
    ),
    kubectl('uncordon fake-1 fake-2', 'node/fake-1 uncordoned'),
    kubectl('taint nodes fake-1 dedicated=x:NoSchedule', 'node/fake-1 tainted'),
    expectFailure(kubectl('taint nodes fake-1 dedicated=y:NoSchedule', 'already has dedicated taint(s)')),
    kubectl('taint nodes fake-1 dedicated-', 'node/fake-1 untainted'),
    kubectl('label node fake-1 disk=ssd', 'node/fake-1 labeled'),
    kubectl('get nodes', /fake-1\s+Ready\s+<none>\s+\S+\s+v1\.36\.3/),
    kubectl('describe node fake-2', /Ready\s+True/, /cpu:\s+8/),
    kubectl('label node fake-1 disk-', 'node/fake-1 unlabeled'),
    kubectl('delete namespace k-loads --wait=false', 'namespace "k-loads" deleted'),
  ],
};
