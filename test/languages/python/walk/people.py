"""Organizations, the people in them, and who decides."""

from turnkey_http import TurnkeyClient
from turnkey_sdk_types import *

from .setting import KeyPair, Setting, new_key_pair


def whoami(here: Setting) -> None:
    me = here.client.get_whoami(GetWhoamiBody())
    assert (me.organizationId, me.userId) == (here.organization_id, here.user_id)


def organizations(here: Setting) -> None:
    keys = new_key_pair()
    sub_id, user_id = sub_organization(here, "ada@example.com", keys)
    found = here.client.get_sub_org_ids(GetSubOrgIdsBody(filterType="EMAIL", filterValue="ada@example.com"))
    assert found.organizationIds == [sub_id]
    ada = here.client_of(keys, sub_id)
    assert ada.get_whoami(GetWhoamiBody()).userId == user_id
    ada.update_organization_name(UpdateOrganizationNameBody(organizationName="Of Ada alone"))
    assert ada.get_whoami(GetWhoamiBody()).organizationName == "Of Ada alone"
    configs = here.client.get_organization_configs(GetOrganizationConfigsBody()).configs
    assert configs.quorum.userIds == [here.user_id]
    ada.delete_sub_organization(DeleteSubOrganizationBody(deleteWithoutExport=True))
    assert here.client.get_sub_org_ids(GetSubOrgIdsBody()).organizationIds == []


def users(here: Setting) -> None:
    user_id, keys = a_user(here, "Grace")
    here.client.update_user_name(UpdateUserNameBody(userId=user_id, userName="Grace Hopper"))
    tag_id = here.client.create_user_tag(CreateUserTagBody(userTagName="Admirals", userIds=[])).userTagId
    here.client.update_user(UpdateUserBody(userId=user_id, userTagIds=[tag_id]))
    # A change that says nothing of the tags leaves them.
    here.client.update_user(UpdateUserBody(userId=user_id, userEmail="grace@example.com"))
    grace = here.client.get_user(GetUserBody(userId=user_id)).user
    assert (grace.userName, grace.userEmail, grace.userTags) == ("Grace Hopper", "grace@example.com", [tag_id])
    assert [tag.tagName for tag in here.client.list_user_tags(ListUserTagsBody()).userTags] == ["Admirals"]

    own = here.client_of(keys)
    second = new_key_pair()
    made = own.create_api_keys(CreateApiKeysBody(userId=user_id, apiKeys=[api_key(second)]))
    assert here.client_of(second).get_whoami(GetWhoamiBody()).userId == user_id
    own.delete_api_keys(DeleteApiKeysBody(userId=user_id, apiKeyIds=made.apiKeyIds))
    left = own.get_api_keys(GetApiKeysBody(userId=user_id)).apiKeys
    assert [key.credential.publicKey for key in left] == [keys.public_key]

    here.client.delete_users(DeleteUsersBody(userIds=[user_id]))
    assert [user.userId for user in here.client.get_users(GetUsersBody()).users] == [here.user_id]


def policies(here: Setting) -> None:
    user_id, keys = a_user(here, "Reader of tags")
    member = here.client_of(keys)
    request = CreateUserTagBody(userTagName="By a member", userIds=[])
    refused(lambda: member.create_user_tag(request))
    policy_id = here.client.create_policy(
        CreatePolicyBody(
            policyName="Members make tags",
            effect="EFFECT_ALLOW",
            consensus=f"approvers.any(user, user.id == '{user_id}')",
            condition="activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
            notes="",
        )
    ).policyId
    member.create_user_tag(request)
    here.client.update_policy(UpdatePolicyBody(policyId=policy_id, policyEffect="EFFECT_DENY"))
    policy = here.client.get_policy(GetPolicyBody(policyId=policy_id)).policy
    assert (policy.policyName, policy.effect.value) == ("Members make tags", "EFFECT_DENY")
    refused(lambda: member.create_user_tag(CreateUserTagBody(userTagName="Another", userIds=[])))
    assert [one.policyId for one in here.client.get_policies(GetPoliciesBody()).policies] == [policy_id]
    here.client.delete_policy(DeletePolicyBody(policyId=policy_id))
    assert here.client.get_policies(GetPoliciesBody()).policies == []


def approval(here: Setting) -> None:
    people = [a_user(here, name) for name in ("First", "Second")]
    first, second = (here.client_of(keys) for _, keys in people)
    here.client.create_policy(
        CreatePolicyBody(
            policyName="Two of them make tags",
            effect="EFFECT_ALLOW",
            consensus="approvers.count() == 2",
            condition="activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'",
            notes="Both",
        )
    )
    pending = awaiting(first, "Wanted by two")
    second.approve_activity(ApproveActivityBody(fingerprint=pending.fingerprint))
    approved = first.get_activity(GetActivityBody(activityId=pending.id)).activity
    assert approved.status == "ACTIVITY_STATUS_COMPLETED"
    assert {vote.userId for vote in approved.votes} == {user_id for user_id, _ in people}
    assert approved.result.createUserTagResult.userTagId != ""

    other = awaiting(first, "Wanted by one")
    second.reject_activity(RejectActivityBody(fingerprint=other.fingerprint))
    rejected = first.get_activity(GetActivityBody(activityId=other.id)).activity
    assert rejected.status == "ACTIVITY_STATUS_REJECTED"
    listed = first.get_activities(GetActivitiesBody(filterByStatus=["ACTIVITY_STATUS_REJECTED"])).activities
    assert [activity.id for activity in listed] == [other.id]


def sub_organization(here: Setting, contact: str, keys: KeyPair) -> tuple[str, str]:
    """An organization of one user with this address and this key, and the user."""
    root = v1RootUserParamsV4(
        userName="Root", userEmail=contact, apiKeys=[api_key(keys)], authenticators=[], oauthProviders=[]
    )
    made = here.client.create_sub_organization(
        CreateSubOrganizationBody(subOrganizationName=f"Of {contact}", rootUsers=[root], rootQuorumThreshold=1)
    )
    return made.subOrganizationId, made.rootUserIds[0]


def a_user(here: Setting, name: str) -> tuple[str, KeyPair]:
    """A user without any rights, and the key they have."""
    keys = new_key_pair()
    user = v1UserParamsV3(
        userName=name, apiKeys=[api_key(keys)], authenticators=[], oauthProviders=[], userTags=[]
    )
    return here.client.create_users(CreateUsersBody(users=[user])).userIds[0], keys


def api_key(keys: KeyPair) -> v1ApiKeyParamsV2:
    return v1ApiKeyParamsV2(apiKeyName="Key", publicKey=keys.public_key, curveType="API_KEY_CURVE_P256")


def awaiting(client: TurnkeyClient, tag_name: str):
    """An activity that waits for somebody else."""
    try:
        client.create_user_tag(CreateUserTagBody(userTagName=tag_name, userIds=[]))
    except TurnkeyActivityConsensusNeededError as needed:
        return client.get_activity(GetActivityBody(activityId=needed.activity_id)).activity
    raise AssertionError(f"nobody else was asked about {tag_name}")


def refused(call) -> None:
    try:
        call()
    except TurnkeyNetworkError as error:
        assert error.status_code == 403, error
        return
    raise AssertionError("a request that no policy allows was carried out")
