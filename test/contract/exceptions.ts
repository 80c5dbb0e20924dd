/** Every operation of this version. */
export const built: readonly string[] = [
  'create_sub_organization',
  'delete_sub_organization',
  'update_organization_name',
  'update_root_quorum',
  'set_organization_feature',
  'remove_organization_feature',
  'get_organization',
  'get_organization_configs',
  'list_suborgs',
  'whoami',
  'create_users',
  'create_api_only_users',
  'update_user',
  'update_user_name',
  'update_user_email',
  'update_user_phone_number',
  'delete_users',
  'create_api_keys',
  'delete_api_keys',
  'create_authenticators',
  'delete_authenticators',
  'create_user_tag',
  'update_user_tag',
  'delete_user_tags',
  'create_invitations',
  'delete_invitation',
  'get_user',
  'list_users',
  'get_api_key',
  'get_api_keys',
  'get_authenticator',
  'get_authenticators',
  'get_oauth_providers',
  'list_user_tags',
  'create_private_keys',
  'init_import_private_key',
  'import_private_key',
  'export_private_key',
  'delete_private_keys',
  'create_private_key_tag',
  'update_private_key_tag',
  'delete_private_key_tags',
  'sign_raw_payload',
  'sign_raw_payloads',
  'get_private_key',
  'list_private_keys',
  'list_private_key_tags',
  'create_policy',
  'create_policies',
  'update_policy',
  'delete_policy',
  'delete_policies',
  'approve_activity',
  'reject_activity',
  'get_policy',
  'list_policies',
  'get_activity',
  'list_activities',
  'get_policy_evaluations',
]

/** Named by the specification or used by its readers, and absent from the table of published operations. */
export const notPublished: readonly string[] = ['create_api_only_users', 'get_organization']

/** Policies were once made of selectors; their conditions cannot be told from those of today, and no client sends them. */
export const olderFormsLeftOut: readonly string[] = [
  'ACTIVITY_TYPE_CREATE_POLICY',
  'ACTIVITY_TYPE_CREATE_POLICY_V2',
]

/** A vote is answered with the activity that it is about, so the table has no result of its own for it. */
export const withoutResultKey: readonly string[] = ['approve_activity', 'reject_activity']

export type Exception = {
  readonly of: 'ACTIVITY_TYPE_' | 'QUERY'
  readonly like: RegExp
  readonly why: string
}

/** Where our forms differ from the published ones, and why. */
export const exceptions: readonly Exception[] = [
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE\.value: required, ours optional$/,
    why: 'the specification shows features that are switched on without a value',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V[4-8]\.wallet\.accounts\[\]\.(pathFormat|addressFormat): an enum, ours any text$/,
    why: 'wallets come later: one that is asked for is refused as such, whatever its accounts are',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V[4-8] →\.wallet: missing$/,
    why: 'wallets come later, and the field is optional',
  },
  {
    of: 'ACTIVITY_TYPE_',
    like: /^ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V[78]\.clientSignature\.scheme: an enum, ours any text$/,
    why: 'proofs of contact come later: one that is sent is refused as such, whatever its scheme is',
  },
  {
    of: 'QUERY',
    like: /^list_activities\.filterByType\[\]: an enum, ours any text$/,
    why: 'a type that no activity has finds none, so that a filter for types of later versions is no error',
  },
  {
    of: 'QUERY',
    like: /\.credential\.sessionProfileId: missing$/,
    why: 'session profiles come later, and the field is optional',
  },
  {
    of: 'QUERY',
    like: /\.mfaPolicies\[\]\.\w+: missing$/,
    why: 'policies for several factors come later: the list is there and empty',
  },
]
