import { manyAccounts } from '../../../../../test/cost/many.ts'
import type { Fixture } from '../../../../../test/behaviour/fixture.ts'

export const dearest: Fixture = async (setting) => {
  const walletId = await manyAccounts(setting)
  const listed = async (after?: string) =>
    (
      await setting.service.query(setting.by, 'list_wallet_accounts', {
        walletId,
        paginationOptions: { limit: '100', ...(after === undefined ? {} : { after }) },
      })
    ).json.accounts.map((account: { walletAccountId: string }) => account.walletAccountId)
  const walletAccountIds: string[] = []
  while (walletAccountIds.length < 1_000) {
    const page = await listed(walletAccountIds.at(-1))
    if (page.length === 0) break
    walletAccountIds.push(...page)
  }
  return { parameters: { walletAccountIds: walletAccountIds.slice(0, 1_000), deleteWithoutExport: true } }
}
