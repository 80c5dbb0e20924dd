use std::collections::HashSet;

use turnkey_client::TurnkeyClientError;
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
