import { widgets } from '../script/definitions.ts';
import { type CommandGroup, expectFailure, kubectl, withInput, withKnownDifference } from './command.ts';

const IN_NS = '-n k-cr';
const widget = { apiVersion: 'script.example.com/v1', kind: 'Widget', metadata: { name: 'w' }, spec: { size: 2, replicas: 1 } };
const OTHER_DESCRIPTIONS = 'the descriptions of types and fields differ';
const FEWER_RESOURCES = 'this server serves fewer resources';

export const resources: CommandGroup = {
  name: 'discovery, explain, custom resources',
  commands: [
    kubectl('version', /Server Version: v1\.36\./),
    kubectl('cluster-info', 'Kubernetes control plane'),
    withKnownDifference(FEWER_RESOURCES, kubectl('api-versions', 'v1', 'discovery.k8s.io/v1', 'apiextensions.k8s.io/v1')),
    withKnownDifference(
      FEWER_RESOURCES,
      kubectl(
        'api-resources',
        /^services\s+svc\s+v1\s+true\s+Service$/m,
        /^nodes\s+no\s+v1\s+false\s+Node$/m,
        /^endpointslices\s+discovery\.k8s\.io\/v1\s+true\s+EndpointSlice$/m,
        /^customresourcedefinitions\s+crd,crds\s+apiextensions\.k8s\.io\/v1\s+false\s+CustomResourceDefinition$/m,
      ),
    ),
    kubectl('api-resources --api-group=discovery.k8s.io', 'endpointslices'),
    kubectl(
      'api-resources --api-group=events.k8s.io -o wide',
      /events\s+ev\s+events\.k8s\.io\/v1\s+true\s+Event\s+create,delete,deletecollection,get,list,patch,update,watch/,
    ),
    withKnownDifference(
      FEWER_RESOURCES,
      kubectl(
        'api-resources --namespaced=false --api-group=admissionregistration.k8s.io --verbs=list -o name',
        'mutatingwebhookconfigurations.admissionregistration.k8s.io',
      ),
    ),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain service', 'KIND:       Service', 'VERSION:    v1', 'spec\t<ServiceSpec>')),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain service.spec.ports', /FIELD: ports <\[\]ServicePort>/, 'nodePort\t<integer>')),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain pod.spec.containers.resources', 'FIELD: resources <ResourceRequirements>')),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain endpointslice --recursive', 'addressType\t<string> -required-')),
    withKnownDifference(OTHER_DESCRIPTIONS, kubectl('explain configmap.data', 'FIELD: data <map[string]string>')),
    expectFailure(kubectl('explain service.spec.nothing', 'field "nothing" does not exist')),
    expectFailure(kubectl('explain nothing', 'the server doesn\'t have a resource type "nothing"')),
    kubectl('create namespace k-cr', 'created'),
    withInput(widgets(), kubectl('apply -f -', 'customresourcedefinition.apiextensions.k8s.io/widgets.script.example.com created')),
    kubectl('wait crd/widgets.script.example.com --for=condition=Established --timeout=60s', 'condition met'),
    withInput(widget, kubectl(`apply -f - ${IN_NS}`, 'widget.script.example.com/w created')),
    withInput(widget, kubectl(`apply -f - ${IN_NS}`, 'widget.script.example.com/w unchanged')),
    withInput({ ...widget, spec: { size: 3, replicas: 1 } }, kubectl(`apply -f - ${IN_NS}`, 'widget.script.example.com/w configured')),
    withInput({ ...widget, spec: { size: 99 } }, expectFailure(kubectl(`apply -f - ${IN_NS}`, 'spec.size: Invalid value: 99'))),
    withInput({ ...widget, spec: { size: 3, unknown: 1 } }, expectFailure(kubectl(`apply -f - ${IN_NS}`, 'unknown field "spec.unknown"'))),
    kubectl(`get widgets ${IN_NS}`, /NAME\s+SIZE\s+PHASE\s+AGE\nw\s+3/),
    kubectl(`get wd ${IN_NS} -o wide`, /NAME\s+SIZE\s+PHASE\s+WHEN\s+AGE/),
    kubectl(`get toys ${IN_NS}`, 'w'),
    kubectl(`get widget w ${IN_NS} -o yaml`, 'kind: Widget', 'colour: red'),
    kubectl(`get widgets ${IN_NS} --field-selector=spec.colour=red -o name`, 'widget.script.example.com/w'),
    kubectl(`scale widget w ${IN_NS} --replicas=4`, 'widget.script.example.com/w scaled'),
    expectFailure(kubectl(`scale widget w ${IN_NS} --replicas=5 --current-replicas=9`, 'Expected replicas to be 9, was 4')),
    kubectl(`get widget w ${IN_NS} -o jsonpath='{.spec.replicas}'`, '4'),
    kubectl(`patch widget w ${IN_NS} --type=merge -p '{"spec":{"colour":"green"}}'`, 'patched'),
    expectFailure(kubectl(`patch widget w ${IN_NS} -p '{"spec":{"colour":"green"}}'`, 'the body of the request was in an unknown format')),
    kubectl(`patch widget w ${IN_NS} --subresource=status --type=merge -p '{"status":{"phase":"Good"}}'`, 'patched'),
    kubectl(`describe widget w ${IN_NS}`, /Name:\s+w/, /Phase:\s+Good/),
    kubectl(`wait widget/w ${IN_NS} --for=jsonpath='{.status.phase}'=Good --timeout=60s`, 'condition met'),
    kubectl('explain widget.spec', 'FIELD: spec <Object>', 'size\t<integer>'),
    kubectl('explain widget --recursive', 'colour\t<string>'),
    kubectl(`delete widget w ${IN_NS} --cascade=foreground --wait=false`, 'widget.script.example.com "w" deleted'),
    kubectl('delete crd widgets.script.example.com', 'customresourcedefinition.apiextensions.k8s.io "widgets.script.example.com" deleted'),
    kubectl('wait crd/widgets.script.example.com --for=delete --timeout=60s'),
    expectFailure(kubectl(`get widgets.script.example.com ${IN_NS}`, /doesn't have a resource type|could not find the requested resource/)),
    kubectl('delete namespace k-cr --wait=false', 'namespace "k-cr" deleted'),
    kubectl('auth can-i create pods', /^yes$/m),
    withKnownDifference('the user of the token has another name', kubectl('auth whoami', 'Username', 'system:authenticated')),
  ],
};
