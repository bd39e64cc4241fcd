/**
 * The ClusterRoleBindings and RoleBindings of a new cluster, except those of controllers, as kube-apiserver 1.36.3 creates them: name, namespace
 * (`in`), role unless it has the name of the binding (`of`), and subjects.
 */
export const bindingTable: string = `
cluster-admin group:system:masters
system:monitoring group:system:monitoring
system:discovery group:system:authenticated
system:basic-user group:system:authenticated
system:public-info-viewer group:system:authenticated group:system:unauthenticated
system:node-proxier user:system:kube-proxy
system:kube-controller-manager user:system:kube-controller-manager
system:kube-dns serviceaccount:kube-system/kube-dns
system:kube-scheduler user:system:kube-scheduler
system:volume-scheduler user:system:kube-scheduler
system:node
system:service-account-issuer-discovery group:system:serviceaccounts
system::extension-apiserver-authentication-reader in kube-system of extension-apiserver-authentication-reader user:system:kube-controller-manager user:system:kube-scheduler
system::leader-locking-kube-controller-manager in kube-system user:system:kube-controller-manager serviceaccount:kube-system/kube-controller-manager serviceaccount:kube-system/leader-election-controller
system::leader-locking-kube-scheduler in kube-system user:system:kube-scheduler serviceaccount:kube-system/kube-scheduler
system:controller:bootstrap-signer in kube-system serviceaccount:kube-system/bootstrap-signer
system:controller:cloud-provider in kube-system serviceaccount:kube-system/cloud-provider
system:controller:token-cleaner in kube-system serviceaccount:kube-system/token-cleaner
system:controller:bootstrap-signer in kube-public serviceaccount:kube-system/bootstrap-signer
`;
