import type { MailMessages } from '../messages.js';

export const zh: MailMessages = {
  testMode: '测试模式：没有发生资金转移。',
  paid: {
    title: '已收到付款',
    text: '{merchant} 的一笔订单已付款。',
    subject: '订单 {order} 已收到 {amount}',
    order: '订单',
    txid: '交易',
    amount: '金额',
    received: '实收',
    method: '付款方式',
    payer: '付款人',
    account: '账户',
    time: '付款时间',
    description: '说明',
    fields: '来自您的商店',
    exceptions: {
      underpaid: '收到的金额少于订单金额。',
      overpaid: '收到的金额多于订单金额。请将差额退还付款人。',
      paid_late: '款项在订单关闭后才到达。请核对该订单。',
      duplicate_payment: '该订单被重复付款。请将多付部分退还付款人。',
      wrong_currency: '款项以其他货币到达。请核对该订单。',
      charged_back: '付款方的银行已撤回款项。请核对该订单。',
    },
  },
  confirm: {
    title: '您想接收这些邮件吗？',
    text: '{merchant} 希望在每笔订单付款后通知 {email}。',
    subject: '请确认：关于 {merchant} 订单的邮件',
    otherwise: '如果这不是您所期待的，无需任何操作：不会再有其他邮件。',
    button: '查看并确认',
    why: '发送此邮件是因为 {merchant} 填写了地址 {email}。',
  },
  sample: {
    title: '您的邮件可以送达',
    text: '关于 {merchant} 已付款订单的邮件将像这封一样送达。',
    subject: '{merchant} 的测试邮件',
  },
  endpoint: {
    address: 'Webhook 地址',
    since: '失败开始时间',
    failing: {
      hour: 'Webhook 已连续失败一小时',
      day: 'Webhook 已连续失败一天',
      text: '{merchant} 的一个 Webhook 地址不接受任何事件。',
      next: '我们会继续尝试。五天内仍未成功，该地址将被停用。',
    },
    disabled: {
      title: '一个 Webhook 地址已被停用',
      text: '{merchant} 的这个地址已多日未接受任何事件，因此不再向其发送。',
      gone: '{merchant} 的这个地址答复其已不存在，因此不再向其发送。',
      next: '事件不会丢失：地址恢复正常后，请重新启用并重新发送缺失的事件。',
    },
  },
  why: '您收到此邮件，是因为 {email} 已确认接收关于 {merchant} 订单的邮件。',
  unsubscribe: '退订',
  pages: {
    unconfirmed: {
      title: '您想接收这些邮件吗？',
      text: '{merchant} 希望在每笔订单付款后通知 {email}。',
      confirm: '是的，请发送',
      decline: '不用了，谢谢',
    },
    confirmed: {
      title: '邮件已开启',
      text: '{merchant} 的每笔订单付款后，{email} 都会收到邮件。',
      unsubscribe: '停止接收这些邮件',
    },
    unsubscribed: {
      title: '邮件已关闭',
      text: '{email} 不再收到关于 {merchant} 订单的邮件。',
      confirm: '重新开启',
    },
    not_found: {
      title: '找不到页面',
      text: '此地址没有任何内容。链接可能已过期。',
    },
    unavailable: {
      title: '请稍后再试',
      text: '现在无法显示该页面。',
    },
    too_many_requests: {
      title: '请稍等',
      text: '来自您网络的请求过多。请等待一分钟后重试。',
    },
  },
};
