export { aVote as fixture } from './a-vote.ts'
