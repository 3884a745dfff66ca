import type { RefundPageMessages } from '../messages.js';

export const zh: RefundPageMessages = {
  title: '您的退款',
  why: '{merchant} 将向您退还 {amount}。银行未告知我们您付款所用的账户，请填写收款账户。',
  holder: '账户持有人',
  iban: 'IBAN',
  once: '请核对填写的内容：提交后无法更改。',
  send: '退款到此账户',
  faults: {
    holder: '请填写账户持有人的姓名，最多 70 个字符。',
    iban: '此 IBAN 无效。请与您的银行卡或对账单核对。',
    unreachable: '此账户无法接收欧元转账。请填写 SEPA 区域内银行的账户。',
  },
  entered: {
    title: '谢谢',
    text: '{amount} 将退到账户 {account}。经过至少一天的核查后，转账通常需要一到两个银行工作日。',
    warning: '如果不是您本人填写的此账户，请立即联系 {merchant}。',
  },
  sent: { title: '您的退款已汇出', text: '{amount} 已汇至账户 {account}。' },
  ended: {
    title: '此退款已结束',
    text: '此处不能再填写账户。如果您仍在等待退款，请联系 {merchant}。',
  },
};
