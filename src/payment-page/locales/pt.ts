import type { Messages } from '../messages.js';

export const pt: Messages = {
  testBanner: 'Esta é uma página de teste. Não há movimento de dinheiro.',
  order: 'Encomenda {id}',
  pay: 'Pagar {amount}',
  payBy: 'Pague até: {time}',
  timeLeft: 'faltam {time}',
  fiveMinutes: 'Faltam 5 minutos para pagar.',
  oneMinute: 'Falta 1 minuto para pagar.',
  chooseMethod: 'Como deseja pagar?',
  continueAtBank: 'Continuar no banco',
  cancel: 'Cancelar esta encomenda',
  cancelWarning: 'A encomenda será fechada e já não poderá ser paga.',
  cancelYes: 'Sim, cancelar a encomenda',
  back: 'Voltar a {merchant}',
  leaving: 'Voltará a {merchant} dentro de {seconds} s.',
  stay: 'Ficar nesta página',
  questions: 'Dúvidas? {contact}',
  progress: 'Progresso',
  steps: ['Pagamento', 'O banco confirma', 'Concluído'],
  language: 'Idioma',
  states: {
    open: {
      title: 'O seu pagamento',
      happened: '',
      next: 'No passo seguinte, confirma o pagamento no seu banco.',
    },
    processing: {
      title: 'À espera do seu pagamento',
      happened: 'O seu pagamento foi iniciado, mas ainda não está confirmado.',
      next: 'Confirme-o no seu banco. Se já o fez, aguarde um momento: esta página atualiza-se sozinha.',
    },
    unknown: {
      title: 'Estamos a verificar o seu pagamento',
      happened: 'Ainda não temos uma resposta clara do banco.',
      next: 'Por favor, não pague outra vez. Esta página atualiza-se sozinha e pode fechá-la sem receio.',
    },
    paid: {
      title: 'Pago',
      happened: 'Obrigado! O seu pagamento chegou.',
      next: '{merchant} já foi informado. Pode fechar esta página.',
    },
    overpaid: {
      title: 'Pago, e a mais',
      happened: 'Obrigado! Recebemos {received}; a encomenda era de {amount}.',
      next: '{merchant} já foi informado da diferença. Contacte a loja para que lha devolva.',
    },
    underpaid: {
      title: 'Falta uma parte do valor',
      happened: 'Recebemos {received} de {amount}. Obrigado!',
      next: 'Pague os {due} restantes para concluir a encomenda.',
    },
    paid_late: {
      title: 'O seu dinheiro chegou',
      happened: 'Recebemos o seu pagamento, mas esta encomenda já está fechada.',
      next: '{merchant} já foi informado. Por favor, não pague outra vez e contacte a loja para decidir como continuar.',
    },
    declined: {
      title: 'O pagamento não foi concluído',
      happened: 'Não foi cobrado nenhum valor.',
      next: 'Pode tentar de novo ou pagar a partir de outra conta.',
    },
    failed: {
      title: 'O pagamento não foi concluído',
      happened: 'Não foi cobrado nenhum valor e esta encomenda já não aceita novas tentativas.',
      next: 'Faça uma nova encomenda em {merchant} ou peça ajuda à loja.',
    },
    cancelled: {
      title: 'Encomenda cancelada',
      happened: 'Esta encomenda foi cancelada. Não foi cobrado nenhum valor.',
      next: 'Se ainda quiser comprar, faça uma nova encomenda em {merchant}.',
    },
    expired: {
      title: 'O prazo para pagar terminou',
      happened: 'Esta encomenda não foi paga a tempo. Não foi cobrado nenhum valor.',
      next: 'Se ainda quiser comprar, faça uma nova encomenda em {merchant}.',
    },
  },
  declines: {
    insufficient_funds: 'A conta não tem saldo suficiente para este pagamento.',
    limit_exceeded: 'O pagamento ultrapassa o limite da conta.',
    account_blocked: 'A conta ou o cartão está bloqueado.',
    authentication_failed: 'Não foi possível confirmar o pagamento.',
    cancelled_by_payer: 'O pagamento foi cancelado no banco.',
    timeout: 'O banco não respondeu a tempo.',
    declined: 'O banco recusou o pagamento.',
  },
  pages: {
    not_found: {
      title: 'Página não encontrada',
      text: 'Não existe nenhuma página de pagamento neste endereço. Verifique a ligação ou abra-a de novo a partir da loja.',
    },
    unavailable: {
      title: 'Tente de novo dentro de momentos',
      text: 'Neste momento não é possível mostrar a página de pagamento. Se já pagou, por favor não pague outra vez.',
    },
    too_many_requests: {
      title: 'Um momento, por favor',
      text: 'A sua ligação enviou demasiados pedidos. Aguarde um minuto e recarregue a página.',
    },
  },
};
