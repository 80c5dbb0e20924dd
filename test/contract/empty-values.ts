/** Fields for which an empty text or list is not the same as nothing, and why. */
export const declared: readonly { readonly like: RegExp; readonly why: string }[] = [
  {
    like: /^ACTIVITY_TYPE_CREATE_POLIC[A-Z0-9_]+(\.policies\[\])?\.(condition|consensus)$/,
    why: 'without one it is about everything, or anybody is enough: an empty one is refused',
  },
  {
    like: /^(try_activity|replay_policies)\.draft\.policies\[\]\.(condition|consensus)$/,
    why: 'a draft is read as a policy is',
  },
  {
    like: /^ACTIVITY_TYPE_UPDATE_POLICY(_V2)?\.(policyCondition|policyConsensus|policyNotes|time)$/,
    why: 'an empty expression is refused, and empty notes and an empty time take the place of what was there',
  },
  {
    like: /^ACTIVITY_TYPE_UPDATE_MFA_POLICY\.(condition|notes)$/,
    why: 'an empty condition is refused, and empty notes take the place of what was there',
  },
  {
    like: /\.requiredAuthenticationMethods\[\]\.any\[\]\.id$/,
    why: 'without one any credential of the type is enough: an empty one is refused',
  },
  {
    like: /^ACTIVITY_TYPE_CREATE_READ_WRITE_SESSION_V2\.userId$/,
    why: 'without one the session is that of the caller, who may do more than the user that was meant: refused',
  },
  { like: /\.apiKeys\[\]\.expirationSeconds$/, why: 'without one a key never ends: an empty one is refused' },
  {
    like: /^ACTIVITY_TYPE_CREATE_SESSION_PROFILE\.expirationSeconds$/,
    why: 'without one sessions last as long as any: an empty one is refused',
  },
  {
    like: /^(ACTIVITY_TYPE_SET_IP_ALLOWLIST|ACTIVITY_TYPE_REMOVE_IP_ALLOWLIST|get_ip_allowlist)\.publicKey$/,
    why: 'without one it is the list of the organization: an empty one is refused',
  },
  {
    like: /^ACTIVITY_TYPE_UPDATE_USER\.(userEmail|userPhoneNumber)$/,
    why: 'empty text removes the contact',
  },
  {
    like: /^ACTIVITY_TYPE_UPDATE_USER\.userTagIds$/,
    why: 'an empty list removes all tags where it comes alone, and is absent beside another change',
  },
]
