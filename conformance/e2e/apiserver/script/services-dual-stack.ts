import { corePath, createNamespace, get, mergePatch, post, put, type Topic } from '../compare/step.ts';
import { service } from './objects.ts';

const NS = 'c-dual';
const collection = corePath(NS, 'services');
const path = (name: string): string => corePath(NS, `services/${name}`);

export const servicesDualStack: Topic = {
  name: 'services, dual-stack',
  steps: [
    createNamespace(NS),
    // Creations with valid and invalid combinations of policy, families and IPs.
    post(collection, service('prefer', { ipFamilyPolicy: 'PreferDualStack' })),
    post(collection, service('require', { ipFamilyPolicy: 'RequireDualStack', clusterIP: 'None' })),
    post(collection, service('six', { ipFamilies: ['IPv6'] })),
    post(collection, service('six-four', { ipFamilyPolicy: 'RequireDualStack', ipFamilies: ['IPv6', 'IPv4'] })),
    post(
      collection,
      service('two-ips', { clusterIP: '10.96.0.120', clusterIPs: ['10.96.0.120', 'fd00:10:96::20'], ipFamilyPolicy: 'PreferDualStack' }),
    ),
    post(collection, service('two-ips-single', { clusterIPs: ['10.96.0.121', 'fd00:10:96::21'], ipFamilyPolicy: 'SingleStack' })),
    post(collection, service('two-ips-no-policy', { clusterIPs: ['10.96.0.122', 'fd00:10:96::22'] })),
    post(collection, service('first-differs', { clusterIP: '10.96.0.123', clusterIPs: ['10.96.0.124'] })),
    post(collection, service('same-family', { clusterIPs: ['10.96.0.125', '10.96.0.126'], ipFamilyPolicy: 'PreferDualStack' })),
    post(collection, service('three', { clusterIPs: ['10.96.0.127', 'fd00:10:96::27', '10.96.0.128'] })),
    post(collection, service('family-differs', { clusterIPs: ['10.96.0.129'], ipFamilies: ['IPv6'] })),
    post(collection, service('family-strange', { ipFamilies: ['IPv5'] })),
    post(collection, service('family-twice', { ipFamilies: ['IPv4', 'IPv4'] })),
    post(collection, service('families-single', { ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' })),
    post(collection, service('policy-strange', { ipFamilyPolicy: 'TripleStack' })),
    post(collection, service('headless-none-twice', { clusterIPs: ['None', 'None'] })),
    post(collection, service('headless-mixed', { clusterIP: 'None', clusterIPs: ['None', 'fd00:10:96::30'] })),
    post(collection, service('headless-selectorless', { clusterIP: 'None', ports: [] })),
    post(collection, service('headless-selector', { clusterIP: 'None', selector: { a: 'b' } })),
    post(collection, service('external', { type: 'ExternalName', externalName: 'example.com', ipFamilyPolicy: 'PreferDualStack' })),
    post(collection, service('external-families', { type: 'ExternalName', externalName: 'example.com', ipFamilies: ['IPv4'] })),
    // Changes from one IP family to two and back, with and without the fields that they need.
    post(collection, service('grow'), { saveAs: 'grow' }),
    mergePatch(path('grow'), { spec: { ipFamilyPolicy: 'RequireDualStack' } }),
    mergePatch(path('grow'), { spec: { ipFamilyPolicy: 'SingleStack' } }),
    mergePatch(path('grow'), { spec: { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'], clusterIPs: ['{{grow.spec.clusterIP}}'] } }),
    mergePatch(path('grow'), { spec: { ipFamilies: ['IPv6'] } }),
    mergePatch(path('grow'), { spec: { ipFamilyPolicy: 'PreferDualStack', clusterIPs: ['{{grow.spec.clusterIP}}', 'fd00:10:96::40'] } }),
    mergePatch(path('grow'), { spec: { ipFamilies: ['IPv6', 'IPv4'] } }),
    mergePatch(path('grow'), { spec: { clusterIPs: ['{{grow.spec.clusterIP}}', 'fd00:10:96::41'] } }),
    mergePatch(path('grow'), { spec: { ipFamilyPolicy: null } }),
    put(path('two-ips'), service('two-ips')),
    put(path('two-ips'), service('two-ips', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4'] })),
    // Changes from and to ExternalName, which add and remove the IPs of both families.
    mergePatch(path('external'), { spec: { type: 'ClusterIP', externalName: null, ipFamilyPolicy: 'RequireDualStack' } }),
    mergePatch(path('prefer'), { spec: { type: 'ExternalName', externalName: 'a.example', clusterIP: '', clusterIPs: null } }),
    get(collection),
  ],
};
