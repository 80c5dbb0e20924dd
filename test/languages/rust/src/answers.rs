use std::collections::HashSet;

use serde_json::json;
use turnkey_client::TurnkeyClientError;
use turnkey_client::generated::immutable::common::v1::FeatureName;
use turnkey_client::generated::*;

use crate::form::Form;
use crate::forms::send_queries;
use crate::setting::{Setting, Walked, expect};

const PAGE: usize = 25;

/// The crate reads whatever a query answers, refusals included, and it refuses to read what it does not know.
pub async fn every_query(here: &Setting) -> Walked {
    for form in [Form::Empty, Form::Bare] {
        for (operation, error) in send_queries(&here.client, &here.organization_id, form).await {
            let is_refusal = matches!(error, TurnkeyClientError::UnexpectedHttpStatus(400..=499 | 501, _));
            expect(is_refusal, &format!("{operation}: {error}"))?;
        }
    }
    Ok(())
}

/// What this service has and nobody has published stays out of what the crate reads.
pub async fn own_features(here: &Setting) -> Walked {
    for name in ["FEATURE_NAME_WEBAUTHN_USER_VERIFICATION", "FEATURE_NAME_RAW_SIGNING_GUARD"] {
        // The crate's own type has no such name.
        let body = json!({
            "type": "ACTIVITY_TYPE_SET_ORGANIZATION_FEATURE",
            "timestampMs": here.now().to_string(),
            "organizationId": here.organization_id,
            "parameters": { "name": name, "value": "" },
        });
        here.client.process_activity(body, "/public/v1/submit/set_organization_feature".into()).await?;
    }
    here.client
        .get_organization_configs(GetOrganizationConfigsRequest { organization_id: here.organization() })
        .await?;
    let published = SetOrganizationFeatureIntent { name: FeatureName::SmsAuth, value: None };
    here.client.set_organization_feature(here.organization(), here.now(), published).await?;
    Ok(())
}

/// The crate reads every activity of this walk, page after page.
pub async fn every_activity(here: &Setting) -> Walked {
    let mut seen = HashSet::new();
    let mut after = String::new();
    loop {
        let page = external::options::v1::Pagination { limit: PAGE.to_string(), before: String::new(), after };
        let request = GetActivitiesRequest {
            organization_id: here.organization(),
            filter_by_status: vec![],
            pagination_options: Some(page),
            filter_by_type: vec![],
        };
        let activities = here.client.get_activities(request).await?.activities;
        let Some(last) = activities.last() else { break };
        after = last.id.clone();
        for activity in activities {
            expect(seen.insert(activity.id), "an activity stands on two pages")?;
        }
    }
    expect(seen.len() > PAGE, "not all activities are listed")
}
