import { type CommandGroup, expectFailure, kubectl, withInput, withKnownDifference } from '../../apiserver/kubectl/command.ts';

const IN_NS = '-n k-access';
const OTHER_AUTHORIZER = 'the real server of this comparison allows everything';
/** A certificate request for CN=jane, O=devs, made with "openssl req -new". */
const REQUEST = [
  '-----BEGIN CERTIFICATE REQUEST-----',
  'MIHYMIGAAgEAMB4xDTALBgNVBAMMBGphbmUxDTALBgNVBAoMBGRldnMwWTATBgcq',
  'hkjOPQIBBggqhkjOPQMBBwNCAAQLiqPhCGrxiI245TICTCREtECCrhKQKsrpccyJ',
  'WDgWPxEv6ublmx1pQ8NE0P1uBD7gA52ZnQ6u73J88C+2UNTNoAAwCgYIKoZIzj0E',
  'AwIDRwAwRAIgQcgH2alNZYUXphwEbfKOt/KTlGGRG1KU3H72/Q1OXEoCIEljAZC7',
  'BpscjaMeNzZdLBiCc0qvDkXS52UsCR+vU71b',
  '-----END CERTIFICATE REQUEST-----',
].join('\n');
const signingRequest = (name: string): object => ({
  apiVersion: 'certificates.k8s.io/v1',
  kind: 'CertificateSigningRequest',
  metadata: { name },
  spec: { request: Buffer.from(`${REQUEST}\n`).toString('base64'), signerName: 'example.com/signer', usages: ['client auth'] },
});
const limits = {
  apiVersion: 'v1',
  kind: 'LimitRange',
  metadata: { name: 'limits' },
  spec: { limits: [{ type: 'Container', default: { cpu: '200m' }, defaultRequest: { cpu: '100m' } }] },
};

/** Roles, tokens, certificates, quotas and limits. */
export const access: CommandGroup = {
  name: 'access, quotas',
  commands: [
    kubectl('create namespace k-access', 'created'),
    kubectl(`create serviceaccount robot ${IN_NS}`, 'serviceaccount/robot created'),
    kubectl(`create token robot ${IN_NS} --duration=1h`, /^ey[\w-]+\.[\w-]+\.[\w-]+$/m),
    expectFailure(kubectl(`create token absent ${IN_NS}`, 'serviceaccounts "absent" not found')),
    kubectl(`create role reader ${IN_NS} --verb=get,list,watch --resource=pods,services`, 'role.rbac.authorization.k8s.io/reader created'),
    kubectl(`create rolebinding readers ${IN_NS} --role=reader --user=jane --serviceaccount=k-access:robot`, 'readers created'),
    kubectl('create clusterrole k-nodes --verb=get --resource=nodes', 'clusterrole.rbac.authorization.k8s.io/k-nodes created'),
    kubectl('create clusterrole k-all --aggregation-rule=rbac.example.com/all=true', 'created'),
    kubectl('create clusterrolebinding k-nodes --clusterrole=k-nodes --group=devs', 'created'),
    kubectl(`get role reader ${IN_NS} -o yaml`, 'resources:', '- services', '- watch'),
    kubectl(`get rolebinding readers ${IN_NS} -o wide`, /readers\s+Role\/reader\s+\S+\s+jane\s+k-access\/robot/),
    kubectl(`describe role reader ${IN_NS}`, /pods\s+\[\]\s+\[\]\s+\[get list watch\]/),
    kubectl(`auth can-i get pods ${IN_NS}`, 'yes'),
    kubectl(`auth can-i get pods ${IN_NS} --as=jane`, 'yes'),
    kubectl(`auth can-i list services ${IN_NS} --as=system:serviceaccount:k-access:robot`, 'yes'),
    withKnownDifference(OTHER_AUTHORIZER, expectFailure(kubectl(`auth can-i delete pods ${IN_NS} --as=jane`, 'no'))),
    withKnownDifference(OTHER_AUTHORIZER, kubectl('auth can-i get nodes --as=jane --as-group=devs', 'yes')),
    withKnownDifference(OTHER_AUTHORIZER, kubectl(`auth can-i --list ${IN_NS} --as=jane`, /pods\s+\[\]\s+\[\]\s+\[get list watch\]/)),
    withKnownDifference('the user of the token has another name', kubectl('auth whoami', 'Username', 'system:authenticated')),
    kubectl('auth whoami --as=jane --as-group=devs', /Username\s+jane/, 'devs'),
    withInput(signingRequest('k-yes'), kubectl('apply -f -', 'certificatesigningrequest.certificates.k8s.io/k-yes created')),
    withInput(signingRequest('k-no'), kubectl('apply -f -', 'certificatesigningrequest.certificates.k8s.io/k-no created')),
    withKnownDifference(
      'the administrator has another name',
      kubectl('get csr k-yes', /k-yes\s+\S+\s+example\.com\/signer\s+\S+\s+<none>\s+Pending/),
    ),
    kubectl('certificate approve k-yes', 'certificatesigningrequest.certificates.k8s.io/k-yes approved'),
    kubectl('certificate deny k-no', 'certificatesigningrequest.certificates.k8s.io/k-no denied'),
    kubectl("get csr k-yes k-no -o jsonpath='{.items[*].status.conditions[*].type}'", 'Approved Denied'),
    kubectl('delete csr k-yes k-no', 'certificatesigningrequest.certificates.k8s.io "k-yes" deleted'),
    kubectl(`create quota limit ${IN_NS} --hard=pods=1,services=2,requests.cpu=1`, 'resourcequota/limit created'),
    kubectl(`wait quota/limit ${IN_NS} --for=jsonpath='{.status.hard.pods}'=1 --timeout=60s`, 'condition met'),
    withInput(limits, kubectl(`apply -f - ${IN_NS}`, 'limitrange/limits created')),
    kubectl(`run one ${IN_NS} --image=registry.example/one`, 'pod/one created'),
    kubectl(`get pod one ${IN_NS} -o jsonpath='{.spec.containers[0].resources}'`, '{"limits":{"cpu":"200m"},"requests":{"cpu":"100m"}}'),
    expectFailure(
      kubectl(`run two ${IN_NS} --image=registry.example/two`, 'exceeded quota: limit, requested: pods=1, used: pods=1, limited: pods=1'),
    ),
    kubectl(`describe quota limit ${IN_NS}`, /pods\s+1\s+1/, /requests\.cpu\s+100m\s+1/),
    kubectl(`describe limitrange limits ${IN_NS}`, /Container\s+cpu\s+-\s+-\s+100m\s+200m/),
    kubectl('describe namespace k-access', 'Resource Quotas', 'Resource Limits'),
    kubectl('create priorityclass k-high --value=1000', 'priorityclass.scheduling.k8s.io/k-high created'),
    kubectl('get priorityclass k-high', /k-high\s+1000\s+false/),
    kubectl('delete clusterrole/k-nodes clusterrole/k-all clusterrolebinding/k-nodes priorityclass/k-high', 'deleted'),
    kubectl('delete namespace k-access --wait=false', 'namespace "k-access" deleted'),
  ],
};
