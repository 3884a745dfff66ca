import type { Messages } from '../messages.js';

export const zh: Messages = {
  testBanner: '这是测试页面，不会发生真实扣款。',
  order: '订单 {id}',
  pay: '支付 {amount}',
  payBy: '请在 {time} 前付款',
  timeLeft: '剩余 {time}',
  fiveMinutes: '付款时间还剩 5 分钟。',
  oneMinute: '付款时间还剩 1 分钟。',
  chooseMethod: '请选择付款方式',
  continueAtBank: '前往银行继续',
  cancel: '取消此订单',
  cancelWarning: '订单将被关闭，之后无法再付款。',
  cancelYes: '确定取消订单',
  back: '返回 {merchant}',
  leaving: '{seconds} 秒后返回 {merchant}。',
  stay: '留在本页',
  questions: '有疑问？{contact}',
  progress: '进度',
  steps: ['付款', '银行确认', '完成'],
  language: '语言',
  states: {
    open: {
      title: '您的付款',
      happened: '',
      next: '下一步请在您的银行确认付款。',
    },
    processing: {
      title: '正在等待您的付款',
      happened: '您的付款已开始，但尚未确认。',
      next: '请在您的银行确认付款。如果您已确认，请稍候，本页面会自动更新。',
    },
    unknown: {
      title: '正在核实您的付款',
      happened: '我们尚未收到银行的明确答复。',
      next: '请不要重复付款。本页面会自动更新，您也可以放心关闭。',
    },
    paid: {
      title: '已付款',
      happened: '谢谢！您的付款已收到。',
      next: '我们已通知 {merchant}。您可以关闭本页面。',
    },
    overpaid: {
      title: '已付款，金额超出应付',
      happened: '谢谢！我们收到 {received}，订单金额为 {amount}。',
      next: '我们已将差额告知 {merchant}。请联系商家退还差额。',
    },
    underpaid: {
      title: '还有部分金额未付',
      happened: '我们已收到 {received}，应付总额为 {amount}。谢谢！',
      next: '请支付剩余的 {due} 以完成订单。',
    },
    paid_late: {
      title: '您的款项已收到',
      happened: '我们收到了您的付款，但此订单已经关闭。',
      next: '我们已通知 {merchant}。请不要重复付款，并联系商家商议后续处理。',
    },
    declined: {
      title: '付款未成功',
      happened: '没有扣款。',
      next: '您可以重试，或使用其他账户付款。',
    },
    failed: {
      title: '付款未成功',
      happened: '没有扣款，此订单无法再次尝试付款。',
      next: '请在 {merchant} 重新下单，或联系商家寻求帮助。',
    },
    cancelled: {
      title: '订单已取消',
      happened: '此订单已取消，没有扣款。',
      next: '如果您仍想购买，请在 {merchant} 重新下单。',
    },
    expired: {
      title: '付款时间已过',
      happened: '此订单未在规定时间内付款，没有扣款。',
      next: '如果您仍想购买，请在 {merchant} 重新下单。',
    },
  },
  declines: {
    insufficient_funds: '账户余额不足以完成此次付款。',
    limit_exceeded: '付款金额超出账户限额。',
    account_blocked: '账户或银行卡已被冻结。',
    authentication_failed: '无法确认此次付款。',
    cancelled_by_payer: '付款已在银行端取消。',
    timeout: '银行未及时答复。',
    declined: '银行拒绝了此次付款。',
  },
  pages: {
    not_found: {
      title: '找不到页面',
      text: '此地址没有付款页面。请检查链接，或从商店重新打开。',
    },
    unavailable: {
      title: '请稍后再试',
      text: '暂时无法显示付款页面。如果您已经付款，请不要重复付款。',
    },
    too_many_requests: {
      title: '请稍候',
      text: '来自您网络的请求过多。请等待一分钟后重新加载页面。',
    },
  },
};
