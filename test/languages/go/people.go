package main

import (
	"crypto/ecdsa"
	"net/http"
)

func whoami(here *setting) {
	me := here.root.query("whoami", nil)
	expect(me.text("userId") == here.root.userID, "somebody else")
}

func organizations(here *setting) {
	ada := here.subOrganization("ada@example.com")
	found := here.root.query("list_suborgs", object{"filterType": "EMAIL", "filterValue": "ada@example.com"})
	expect(found.text("organizationIds", 0) == ada.organizationID, "not found by mail")
	ada.done("update_organization_name", "ACTIVITY_TYPE_UPDATE_ORGANIZATION_NAME", "updateOrganizationNameResult",
		object{"organizationName": "Of Ada alone"})
	me := ada.query("whoami", nil)
	expect(me.text("organizationName") == "Of Ada alone" && me.text("userId") == ada.userID, "not renamed")
	configs := here.root.query("get_organization_configs", nil)
	expect(configs.text("configs", "quorum", "userIds", 0) == here.root.userID, "another quorum")
	ada.done("delete_sub_organization", "ACTIVITY_TYPE_DELETE_SUB_ORGANIZATION", "deleteSubOrganizationResult",
		object{"deleteWithoutExport": true})
}

func users(here *setting) {
	grace := here.user("Grace")
	here.root.done("update_user_name", "ACTIVITY_TYPE_UPDATE_USER_NAME", "updateUserNameResult",
		object{"userId": grace.userID, "userName": "Grace Hopper"})
	tagID := here.root.done("create_user_tag", "ACTIVITY_TYPE_CREATE_USER_TAG", "createUserTagResult",
		object{"userTagName": "Admirals", "userIds": []string{grace.userID}}).text("userTagId")
	// A slice that was never filled is written as null: the change of an address must not take the tags.
	here.root.done("update_user", "ACTIVITY_TYPE_UPDATE_USER", "updateUserResult",
		object{"userId": grace.userID, "userEmail": "grace@example.com", "userTagIds": []string(nil)})
	user := here.root.query("get_user", object{"userId": grace.userID}).at("user")
	expect(user.text("userName") == "Grace Hopper" && user.text("userEmail") == "grace@example.com", "not changed")
	expect(user.text("userTags", 0) == tagID, "the change of an address took the tags")
	expect(here.root.query("list_user_tags", nil).text("userTags", 0, "tagName") == "Admirals", "not listed")

	second := newKey()
	keyID := grace.done("create_api_keys", "ACTIVITY_TYPE_CREATE_API_KEYS_V2", "createApiKeysResult",
		object{"userId": grace.userID, "apiKeys": []object{apiKey(second)}}).text("apiKeyIds", 0)
	withSecond := member{here.baseURL, grace.organizationID, grace.userID, second}
	expect(withSecond.query("whoami", nil).text("userId") == grace.userID, "the second key is of somebody else")
	grace.done("delete_api_keys", "ACTIVITY_TYPE_DELETE_API_KEYS", "deleteApiKeysResult",
		object{"userId": grace.userID, "apiKeyIds": []string{keyID}})
	expect(len(grace.query("get_api_keys", object{"userId": grace.userID}).list("apiKeys")) == 1, "a key is left")

	here.root.done("delete_users", "ACTIVITY_TYPE_DELETE_USERS", "deleteUsersResult",
		object{"userIds": []string{grace.userID}})
	expect(len(here.root.query("list_users", nil).list("users")) == 1, "a user is left")
}

func policies(here *setting) {
	maker := here.user("Maker of tags")
	expect(maker.makeTag("By a member") == http.StatusForbidden, "a tag without a policy")
	policyID := here.root.done("create_policy", "ACTIVITY_TYPE_CREATE_POLICY_V3", "createPolicyResult", object{
		"policyName": "Members make tags",
		"effect":     "EFFECT_ALLOW",
		"condition":  madeTags,
		"consensus":  "approvers.any(user, user.id == '" + maker.userID + "')",
		"notes":      "",
	}).text("policyId")
	expect(maker.makeTag("By a member") == http.StatusOK, "no tag under a policy")
	here.root.done("update_policy", "ACTIVITY_TYPE_UPDATE_POLICY_V2", "updatePolicyResultV2",
		object{"policyId": policyID, "policyEffect": "EFFECT_DENY"})
	policy := here.root.query("get_policy", object{"policyId": policyID}).at("policy")
	expect(policy.text("policyName") == "Members make tags" && policy.text("effect") == "EFFECT_DENY", "not changed")
	expect(maker.makeTag("Another") == http.StatusForbidden, "a tag that a policy denies")
	expect(len(here.root.query("list_policies", nil).list("policies")) == 1, "not one policy")
	here.root.done("delete_policy", "ACTIVITY_TYPE_DELETE_POLICY", "deletePolicyResult", object{"policyId": policyID})
}

func approval(here *setting) {
	first, second := here.user("First"), here.user("Second")
	here.root.done("create_policy", "ACTIVITY_TYPE_CREATE_POLICY_V3", "createPolicyResult", object{
		"policyName": "Two of them make tags",
		"effect":     "EFFECT_ALLOW",
		"condition":  madeTags,
		"consensus":  "approvers.count() == 2",
		"notes":      "Both",
	})
	pending := first.waiting("Wanted by two")
	approved := second.submit("approve_activity", "ACTIVITY_TYPE_APPROVE_ACTIVITY",
		object{"fingerprint": pending.text("fingerprint")}).at("activity")
	expect(approved.text("status") == "ACTIVITY_STATUS_COMPLETED" && len(approved.list("votes")) == 2, "not approved")

	pending = first.waiting("Wanted by one")
	second.submit("reject_activity", "ACTIVITY_TYPE_REJECT_ACTIVITY",
		object{"fingerprint": pending.text("fingerprint")})
	rejected := first.query("get_activity", object{"activityId": pending.text("id")})
	expect(rejected.text("activity", "status") == "ACTIVITY_STATUS_REJECTED", "not rejected")
	listed := first.query("list_activities", object{"filterByStatus": []string{"ACTIVITY_STATUS_REJECTED"}})
	expect(listed.text("activities", 0, "id") == pending.text("id"), "not listed")
}

const madeTags = "activity.type == 'ACTIVITY_TYPE_CREATE_USER_TAG'"

func (by member) makeTag(name string) int {
	return by.status("create_user_tag", "ACTIVITY_TYPE_CREATE_USER_TAG",
		object{"userTagName": name, "userIds": []string{}})
}

// An activity that waits for somebody else.
func (by member) waiting(tagName string) answer {
	activity := by.submit("create_user_tag", "ACTIVITY_TYPE_CREATE_USER_TAG",
		object{"userTagName": tagName, "userIds": []string{}}).at("activity")
	expect(activity.text("status") == "ACTIVITY_STATUS_CONSENSUS_NEEDED", "nobody else was asked")
	return activity
}

// The only user of a new organization, with an address and a key.
func (here *setting) subOrganization(email string) member {
	key := newKey()
	made := here.root.done("create_sub_organization", "ACTIVITY_TYPE_CREATE_SUB_ORGANIZATION_V8",
		"createSubOrganizationResultV8", object{
			"subOrganizationName": "Of " + email,
			"rootUsers": []object{{
				"userName":       "Root",
				"userEmail":      email,
				"apiKeys":        []object{apiKey(key)},
				"authenticators": []object{},
				"oauthProviders": []object{},
			}},
			"rootQuorumThreshold": 1,
		})
	return member{here.baseURL, made.text("subOrganizationId"), made.text("rootUserIds", 0), key}
}

// A user without any rights.
func (here *setting) user(name string) member {
	key := newKey()
	made := here.root.done("create_users", "ACTIVITY_TYPE_CREATE_USERS_V4", "createUsersResult", object{
		"users": []object{{
			"userName":       name,
			"apiKeys":        []object{apiKey(key)},
			"authenticators": []object{},
			"oauthProviders": []object{},
			"userTags":       []string{},
		}},
	})
	return member{here.baseURL, here.root.organizationID, made.text("userIds", 0), key}
}

func apiKey(key *ecdsa.PrivateKey) object {
	return object{"apiKeyName": "Key", "publicKey": publicKey(key), "curveType": "API_KEY_CURVE_P256"}
}
